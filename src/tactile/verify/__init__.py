"""Judging acts: targets and postconditions parsed, live things re-checked, before and after compared."""
