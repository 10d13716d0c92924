"""What values of SQL types can do: conversion, arithmetic, comparison, display and their bytes on the wire.

Everything here is a pure function of values and types: no clock, no session, no catalog. Both evaluators (the compiled
closures and the functions registered with DuckDB) are built on it, so that they agree.
"""
