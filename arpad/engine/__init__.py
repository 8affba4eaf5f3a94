"""Replay of a ledger under a ruleset: interpreted or compiled, from one source."""
