"""Conversion of compiled expressions: what assignments, arguments and stores do to a Scalar before they use it."""

from __future__ import annotations

from sbql.engine.execution.scalar import convert_scalar

__all__ = ["convert_scalar"]
