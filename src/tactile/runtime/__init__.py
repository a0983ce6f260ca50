"""The straight lines: one observation, one action; the only place besides adapters where things happen."""
