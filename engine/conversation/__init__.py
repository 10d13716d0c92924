"""The room `conversation`."""
