"""The room `scalars`."""
