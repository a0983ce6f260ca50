"""Adapters: the only modules that know a platform; reached through `tactile.connect` alone."""
