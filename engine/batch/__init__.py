"""The room `batch`."""
