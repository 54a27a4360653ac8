"""One line of a program's question: uses the logits that follow its last token.

Owns reading the probabilities of options and generating text. It opens sequences but decodes
none.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ...prompt_program import Choice, Choose, GuardState, Write, Written
from ..llama_library import LlamaModel, TextStream, is_looping
from .sequences import TokenSequence

N_TRIED = 256  # most likely tokens to try; if the guard rejects all, the line ends


@dataclass(frozen=True, slots=True)
class Pick:
    """The next token, None where the line ends; `logprob` is its natural logarithm."""

    token: int | None
    piece: bytes = b""
    logprob: float = 0.0


def log_sum(logits: np.ndarray) -> float:
    """Return log(sum(exp(logits))), the number that turns logits into log-probabilities."""
    top = float(logits.max())
    less = logits - top
    return top + math.log(float(np.exp(less, out=less).sum()))


def pick_token(
    logits: np.ndarray,
    guard: GuardState | None,
    get_piece: Callable[[int], bytes],
    ends_turn: Callable[[int], bool],
) -> Pick:
    """Return the most likely token that the guard accepts; this advances the guard.

    The other tokens are sorted only if the most likely one is rejected, which is rare. So a guard
    costs almost nothing.
    """
    total = log_sum(logits)
    best = int(logits.argmax())
    if (picked := _try(best, logits, total, guard, get_piece, ends_turn)) is not None:
        return picked
    n = min(N_TRIED, len(logits))
    likeliest = np.argpartition(logits, -n)[-n:]
    for token in likeliest[np.argsort(-logits[likeliest], kind="stable")].tolist():
        if token == best:
            continue
        if (picked := _try(token, logits, total, guard, get_piece, ends_turn)) is not None:
            return picked
    return Pick(None)


def _try(
    token: int,
    logits: np.ndarray,
    total: float,
    guard: GuardState | None,
    get_piece: Callable[[int], bytes],
    ends_turn: Callable[[int], bool],
) -> Pick | None:
    if ends_turn(token):
        return Pick(None) if guard is None or guard.may_end else None
    piece = get_piece(token)
    if guard is not None and not (piece and guard.take(piece)):
        return None
    return Pick(token, piece, float(logits[token]) - total)


_LOOP_CHECK_INTERVAL = 8
Open = Callable[[TokenSequence, Sequence[int], object], TokenSequence]


@dataclass(slots=True)
class _Branch:
    """Options that share their first `depth` tokens, whose probability is exp(`logprob`)."""

    line: ChooseLine
    options: list[int]
    depth: int
    logprob: float

    def take(self, sequence: TokenSequence, logits: np.ndarray) -> None:
        self.line.read(self, sequence, logits)


class ChooseLine:
    """Reads the probability of each option after a line.

    Options with a common beginning are read token by token until they differ. An option that is
    the beginning of others ("work", "worker") gets the probability that the longer ones leave.
    """

    def __init__(self, ask: Choose, line: str, model: LlamaModel, open_sequence: Open) -> None:
        self._open = open_sequence
        before = model.tokenize(line, add_special=False)
        self._tokens: list[list[int]] = []  # of each option, after the line
        for option in ask.options:
            both = model.tokenize(line + option, add_special=False)
            if both[: len(before)] == before and len(both) > len(before):
                self._tokens.append(both[len(before) :])
            else:
                own = model.tokenize(option, add_special=False)
                self._tokens.append(own or model.tokenize(" ", add_special=False))
        self._logprobs = [-np.inf] * len(ask.options)
        self._n_open = 0
        self.reply: Choice | None = None

    def start(self) -> _Branch:
        self._n_open = 1
        return _Branch(self, list(range(len(self._tokens))), 0, 0.0)

    def read(self, branch: _Branch, sequence: TokenSequence, logits: np.ndarray) -> None:
        """Read the logits that follow the shared tokens of a branch."""
        total = log_sum(logits)
        groups: dict[int, list[int]] = defaultdict(list)
        ending: list[int] = []
        for option in branch.options:
            tokens = self._tokens[option]
            if branch.depth < len(tokens):
                groups[tokens[branch.depth]].append(option)
            else:
                ending.append(option)
        left = 1.0
        for token, options in groups.items():
            logprob = float(logits[token]) - total
            left -= math.exp(logprob)
            logprob += branch.logprob
            if all(self._tokens[option] == self._tokens[options[0]] for option in options):
                for option in options:
                    self._logprobs[option] = logprob
            else:
                self._n_open += 1
                deeper = _Branch(self, options, branch.depth + 1, logprob)
                self._open(sequence, [token], deeper)
        for option in ending:
            self._logprobs[option] = branch.logprob + math.log(max(left, 1e-9))
        self._n_open -= 1
        if not self._n_open:
            self.reply = Choice(tuple(round(max(-99.0, p), 4) for p in self._logprobs))


class WriteLine:
    """Continues a line token by token within the guard and the token limit."""

    def __init__(self, ask: Write, model: LlamaModel, *, thinking: bool = False) -> None:
        self._model = model
        self._max_tokens = ask.max_tokens
        self._guard = ask.guard.begin() if ask.guard else None
        self._text = TextStream(thinking=thinking) if ask.guard is None else None
        self._bytes = bytearray()
        self._shown: list[str] = []
        self._tokens: list[int] = []
        self._logprob = 0.0
        self.reply: Written | None = None

    def start(self) -> WriteLine:
        return self

    def take(self, sequence: TokenSequence, logits: np.ndarray) -> None:
        """Pick the next token: it becomes pending, or the line ends."""
        picked = pick_token(logits, self._guard, self._model.get_piece, self._model.ends_turn)
        if picked.token is None:
            return self._end("finished")
        self._tokens.append(picked.token)
        self._logprob += picked.logprob
        if self._text is not None:
            self._shown.append(self._text.feed(picked.piece))
        else:
            self._bytes += picked.piece
        if self._guard is not None and self._guard.must_end:
            return self._end("finished")
        if len(self._tokens) >= self._max_tokens:
            return self._end("long")
        if len(self._tokens) % _LOOP_CHECK_INTERVAL == 0 and is_looping(self._tokens):
            return self._end("loop")
        sequence.write(picked.token)
        return None

    def _end(self, how: str) -> None:
        if self._text is not None:
            text = "".join(self._shown) + self._text.finish()
        else:
            text = self._bytes.decode("utf-8", "ignore")
        n = len(self._tokens)
        self.reply = Written(text, n, how, round(self._logprob / n, 4) if n else 0.0)
