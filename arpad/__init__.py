"""Arpad: one ledger of results, many published rulesets; every rating explained and retroactively right."""

__version__ = "0.1.0"
