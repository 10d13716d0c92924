"""Builds the parse table into the wheel, so that the first start needs no grammar compilation."""

from setuptools import setup

setup()
