"""Plain values that every other layer speaks in: no I/O, no third-party package."""
