"""The room `translate`."""
