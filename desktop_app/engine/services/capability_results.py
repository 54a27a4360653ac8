"""What a chat model did in the check of its capabilities, and what that means in words.

Plain data for a screen or a command; `model_capabilities` asks the questions.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..durations import format_seconds
from ..messages import Message

GOOD, FAIR = 0.75, 0.5  # shares: three of four, or all of three; half of them
SLOW_S = 12.0  # to the first word: what a prompt of the chat may take (`context.FIRST_TOKEN_S`)


@dataclass(frozen=True, slots=True)
class Share:
    """How many of the answers that were measured are right; `n` 0 means "not measured"."""

    right: int = 0
    n: int = 0

    def add(self, is_right: bool) -> Share:
        return Share(self.right + is_right, self.n + 1)

    @property
    def is_good(self) -> bool:
        return self.n > 0 and self.right >= GOOD * self.n

    @property
    def is_poor(self) -> bool:
        return self.n > 0 and self.right < FAIR * self.n


@dataclass(frozen=True, slots=True)
class ModelCapabilities:
    """What a model did in the check.

    Attributes:
        citations: written answers whose sentences all have a mark [n] of a passage that exists.
        refusals: questions without an answer for which the model gives none.
        english, chinese: right answers to questions in this language, in this language.
        read_rate, write_rate: tokens per second, 0.0 where not measured.
        first_s: median of the seconds to the first word of a written answer.
        seconds: what the check took.
        n_asked, n_questions: how many questions were asked, and how many there are.
        checked_at: seconds since 1970.
        version: of the program.
    """

    citations: Share = Share()
    refusals: Share = Share()
    english: Share = Share()
    chinese: Share = Share()
    read_rate: float = 0.0
    write_rate: float = 0.0
    first_s: float = 0.0
    seconds: float = 0.0
    n_asked: int = 0
    n_questions: int = 0
    checked_at: float = 0.0
    version: str = ""


def load_result(data: object) -> ModelCapabilities | None:
    """Return a kept result, None if it can't be read."""
    if not isinstance(data, dict):
        return None
    try:
        shares = {
            name: Share(int(data[name]["right"]), int(data[name]["n"]))
            for name in ("citations", "refusals", "english", "chinese")
        }
        rates = {
            name: float(data[name])
            for name in ("read_rate", "write_rate", "first_s", "seconds", "checked_at")
        }
        return ModelCapabilities(**(data | shares | rates))
    except (KeyError, TypeError, ValueError):
        return None


# --- in words ------------------------------------------------------------------------------------


def list_measures(found: ModelCapabilities) -> list[tuple[Message, Message]]:
    """Return each measure with its result, for a table."""
    return [
        (Message("Citations"), _describe_share(found.citations)),
        (Message("Not in the documents"), _describe_share(found.refusals)),
        (Message("English"), _describe_share(found.english)),
        (Message("Chinese"), _describe_share(found.chinese)),
        (Message("Speed"), _describe_speed(found)),
    ]


def _describe_share(share: Share) -> Message:
    if not share.n:
        return Message("not measured")
    return Message("{right} of {n}", right=share.right, n=share.n)


def _describe_speed(found: ModelCapabilities) -> Message:
    if not found.write_rate:
        return Message("not measured")
    return Message(
        "writes {write} and reads {read} tokens/s, first word after {first}",
        write=_format_rate(found.write_rate),
        read=_format_rate(found.read_rate),
        first=format_seconds(found.first_s),
    )


def _format_rate(rate: float) -> str:
    return f"{rate:.{1 if rate < 10 else 0}f}"


def describe_use(found: ModelCapabilities) -> list[Message]:
    """Return in sentences what the results mean for the user."""
    sentences = [*_describe_languages(found)]
    answers = [share for share in (found.english, found.chinese) if share.n]
    if found.refusals.is_good and answers and all(share.is_poor for share in answers):
        sentences.append(Message("It seldom gives any answer."))
    elif found.refusals.is_good:
        sentences.append(Message("It usually notices when the documents don't have the answer."))
    elif found.refusals.n:
        sentences.append(
            Message("Don't trust it where the documents have no answer: it may make one up.")
        )
    if found.citations.n and not found.citations.is_good:
        sentences.append(
            Message(
                "It often leaves out the numbers of the passages: compare its answers with them."
            )
        )
    if found.first_s > SLOW_S:
        first = format_seconds(found.first_s)
        sentences.append(Message("It is slow: the first word comes after {first}.", first=first))
    if found.n_asked < found.n_questions:
        sentences.append(
            Message(
                "There was time for {n} of the {all} questions only.",
                n=found.n_asked,
                all=found.n_questions,
            )
        )
    return sentences


def _describe_languages(found: ModelCapabilities) -> Iterator[Message]:
    english, chinese = found.english, found.chinese
    if english.is_good and chinese.is_good:
        yield Message("Good for questions about English and Chinese texts.")
    elif english.is_good:
        yield Message("Good for questions about English texts.")
    elif chinese.is_good:
        yield Message("Good for questions about Chinese texts.")
    if english.is_poor and chinese.is_poor:
        yield Message("Don't trust its answers about English or Chinese texts.")
    elif english.is_poor:
        yield Message("Don't trust its answers about English texts.")
    elif chinese.is_poor:
        yield Message("Don't trust its answers about Chinese texts.")
    if english.n and not (english.is_good or english.is_poor):
        yield Message("Some of its answers about English texts are wrong.")
    if chinese.n and not (chinese.is_good or chinese.is_poor):
        yield Message("Some of its answers about Chinese texts are wrong.")
