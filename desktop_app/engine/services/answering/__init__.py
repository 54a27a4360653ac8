"""Answering: from a question and what was found to an answer with checked citations."""

from .asking import Asking

__all__ = ["Asking"]
