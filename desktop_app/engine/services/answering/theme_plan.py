"""How many model calls a whole-library question may take, and how long that is.

From the speed at which the model read its last prompts; told to the person before.
"""

from __future__ import annotations

from ...errors import said
from ...models.protocols import ChatModel
from ...query import QueryParam
from ...themes import CallPlan

MOST_SECONDS = 75.0  # of a question, unless more calls are asked for
DRIFT_CALLS = 8
LEAST_REPORTS, MOST_REPORTS = 3, 8
LEAST_DRIFT_CALLS = 3  # reports, one question, the answer
REPORTS_WITHOUT_MODEL = 6
_MAP_TOKENS, _FOLLOW_TOKENS, _ANSWER_TOKENS = 560, 560, 900
_WRITE_RATE = 0.2  # of the reading speed: tokens written a second, one text alone
_ANSWER_LENGTH = 120


def plan_calls(param: QueryParam, model: ChatModel | None, rate: float) -> CallPlan:
    """Return the calls of a question in overview or drift, at most, and their time.

    Args:
        rate: tokens a second that the model reads.
    """
    if model is None:
        return CallPlan(
            0, 1.0, REPORTS_WITHOUT_MODEL, said("no model: the reports themselves, at once")
        )
    rate = max(rate, 1.0)
    answer_s = _ANSWER_TOKENS / rate + _ANSWER_LENGTH / (_WRITE_RATE * rate)
    if param.mode == "drift":
        call_s = _FOLLOW_TOKENS / rate + 60 / (2 * _WRITE_RATE * rate)
        affordable = 1 + int((MOST_SECONDS - answer_s) / call_s)
        n_calls = param.max_calls or min(DRIFT_CALLS, affordable)
        n_calls = max(LEAST_DRIFT_CALLS, n_calls)
        n_reports = 3
    else:
        call_s = _MAP_TOKENS / rate + 0.5
        affordable = int((MOST_SECONDS - answer_s) / call_s)
        n_reports = param.max_calls - 1 if param.max_calls else min(MOST_REPORTS, affordable)
        n_reports = max(1 if param.max_calls else LEAST_REPORTS, n_reports)
        n_calls = n_reports + 1
    seconds = (n_calls - 1) * call_s + answer_s
    words = said(f"at most {n_calls} calls of the model, about {seconds:.0f} s")
    return CallPlan(n_calls, round(seconds, 1), n_reports, words)
