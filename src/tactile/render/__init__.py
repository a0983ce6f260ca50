"""Records as bounded text for models and people."""

from tactile.render.outline import Outline, outline
from tactile.render.receipt import receipt_text
from tactile.render.tokens import estimate_tokens

__all__ = ["Outline", "estimate_tokens", "outline", "receipt_text"]
