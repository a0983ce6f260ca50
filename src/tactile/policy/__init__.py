"""Rules about what may reach a model; authorization joins here with its own issue."""
