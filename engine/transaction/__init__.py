"""The room `transaction`."""
