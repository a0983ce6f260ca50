"""The evidence compiler: an observation in, ranked candidates out; functions of their arguments only."""

from tactile.compile.pipeline import compile_observation

__all__ = ["compile_observation"]
