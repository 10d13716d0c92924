"""What the catalog views and system procedures tell of texts: dependencies, columns of functions, result sets of batches,
and the system's own objects."""
