"""The questions and choices of the next evaluation, kept in the library until it is run.

What was stored by another version or can't be read gives an empty draft, so that the library can
always be opened.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from ...store.db import Db
from ...store.enrichment import find_setting, store_setting
from ...store.stored_json import parse_stored_json
from .model import DEFAULT_MODES, PROMPT_TOKENS, EvaluationQuestion, question_from_data

SETTING_KEY = "evaluation_draft"


@dataclass(frozen=True, slots=True)
class EvaluationDraft:
    """What is to be asked next.

    Attributes:
        title: of the run, such as the name of the file that the questions are from.
        models: names of chat models, "" for passages without a model; None: not chosen yet.
        n_tokens: of a prompt.
    """

    questions: tuple[EvaluationQuestion, ...] = ()
    title: str = ""
    modes: tuple[str, ...] = DEFAULT_MODES
    models: tuple[str, ...] | None = None
    n_tokens: int = PROMPT_TOKENS


def load_draft(db: Db) -> EvaluationDraft:
    """Return the draft of this library, an empty one if none is stored."""
    stored: Mapping[str, Any] = parse_stored_json(find_setting(db, SETTING_KEY), dict)
    try:
        models = stored["models"]
        return EvaluationDraft(
            tuple(question_from_data(one) for one in stored["questions"]),
            str(stored["title"]),
            tuple(map(str, stored["modes"])),
            None if models is None else tuple(map(str, models)),
            int(stored["n_tokens"]),
        )
    except (KeyError, TypeError, ValueError):
        return EvaluationDraft()


def save_draft(db: Db, draft: EvaluationDraft) -> None:
    """Store the draft of this library."""
    with db.transaction():
        store_setting(db, SETTING_KEY, json.dumps(asdict(draft), ensure_ascii=False))
