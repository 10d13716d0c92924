"""The room `writes`."""
