"""The room `tables`."""
