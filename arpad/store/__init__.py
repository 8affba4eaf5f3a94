"""The ledger that never forgets: facts, recordings, settling, on SQLite or PostgreSQL."""
