"""The room `handlers`."""
