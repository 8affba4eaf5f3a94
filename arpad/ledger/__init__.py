"""The ledger in memory: dated facts, who is who, and the order in which games are played. No I/O."""
