"""One handler a statement class, grouped by topic. Importing this package registers them all."""
