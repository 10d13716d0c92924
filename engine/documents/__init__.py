"""The room `documents`."""
