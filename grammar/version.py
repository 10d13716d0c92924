"""The version of sbql, at the bottom, so that every room can tell it."""

__version__ = "0.1.0"
