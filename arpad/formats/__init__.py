"""Readers and writers of files: one module per format, found by registry. No state, no network."""
