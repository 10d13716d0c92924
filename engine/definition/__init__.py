"""The room `definition`."""
