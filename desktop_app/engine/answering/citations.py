"""Verifies an answer: checks its citation marks [n] and its support by the sources.

A mark without a source is removed. Each kept mark points to the sentence of its source that
shares most words with the text before the mark. Also the fixed texts around an answer, and the
answer without a model: the best passages.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import replace

from ..model import Answer, ChunkId, Citation, Passage, RetrievalResult
from ..retrieval.name_definitions import DEFINITION, find_asked_name
from ..retrieval.windows import extend_window
from ..text.chunking import split_sentences
from ..text.shown_text import Span, show_text
from ..text_tables import describe_cells, header_above
from ..writing_systems import HAN, features, has_han, language_of, stems

MARK = re.compile(r"\s?[\[【]\s*(\d{1,3}(?:\s*[,，、;]\s*\d{1,3})*)\s*[\]】]")
# the mark as the prompts write it, copied by the model instead of a number
_PLACEHOLDER = re.compile(r"\s?[\[【](?:n|编号)[\]】]")
_LEADING = re.compile(r"\s*[-*]?\s*[\[【]\s*\d{1,3}\s*[\]】]\s*\S")
_MARKS_AT_END = re.compile(r"((?:\s*[\[【]\s*\d{1,3}\s*[\]】]){3,})\s*[.。]?\s*$")
_MARKS_AT_START = re.compile(r"(?:\s*[\[【]\s*\d{1,3}(?:\s*[,，、;]\s*\d{1,3})*\s*[\]】])+")
_SENTENCE_END = re.compile(r"[.!?。！？\n]")
_STOPS = ".!?。！？"
_FULL_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_NAME = re.compile(r"\b[A-Z]\w*")
Sentences = list[tuple[tuple[int, int], set[str]]]  # offsets in the document, and words
MIN_OWN_WORDS = 2  # words that are not in the question, needed to find their source
CLEARLY_SHARED = 0.5  # share of a claim's words that its source must have
CLEAR_SHARE = 0.5  # of the best weight, which a key sentence needs to be marked
N_COMPARED = 4  # the passages whose sentences may have the best weight, best passages first
MIN_NEAREST = 0.25  # the same for an answer without marks


def check_citations(answer: Answer, sources: Sequence[Passage]) -> Answer:
    """Return the answer with checked citations; a refusal gets none."""
    sources = () if is_refusal(answer.text) else sources
    text, citations = check_marks(answer.text, sources, answer.found.question)
    return replace(answer, text=text, citations=citations)


def describe_doubt(
    answer: Answer, sources: Sequence[Passage], language: str, is_checked: bool = False
) -> str:
    """Return the warning for an answer with weak support, "" for others.

    Args:
        is_checked: each sentence was compared with its passage (`claims`).
    """
    if answer.found.weak:
        return WEAK[language]
    if is_checked or answer.stopped or is_refusal(answer.text):
        return ""
    is_backed = is_in_their_words(answer.text, sources, answer.found.question)
    return "" if is_backed else OWN_WORDS[language]


def append_text(answer: Answer, text: str) -> Answer:
    return replace(answer, text=f"{answer.text}\n\n{text}".strip())


def check_marks(
    text: str, passages: Sequence[Passage], question: str = ""
) -> tuple[str, tuple[Citation, ...]]:
    """Return the answer with valid marks only, and a citation for each cited source.

    An answer without a valid mark gets that of the source with most words in common, so that
    an answer always has a citation.
    """
    claims: dict[int, list[str]] = {}
    text = _spread_marks(_marks_behind(_PLACEHOLDER.sub("", text)), passages)
    if passages and MARK.search(text):
        text = _mark_bare_sentences(text, passages, question)

    def keep(match: re.Match[str]) -> str:
        numbers = [int(n) for n in re.findall(r"\d+", match.group(1))]
        ends = _SENTENCE_END.finditer(text, 0, max(0, match.start() - 1))
        claim = text[max((end.end() for end in ends), default=0) : match.start()]
        valid = [n for n in numbers if 1 <= n <= len(passages)]
        valid = list(dict.fromkeys(_better_source(claim, n, passages) for n in valid))
        for n in valid:
            claims.setdefault(n, []).append(claim)
        return "".join(f" [{n}]" for n in valid)

    checked = MARK.sub(keep, text).strip()
    if not claims and checked:
        score, number = _nearest_source(checked, passages, range(1, len(passages) + 1))
        if score >= MIN_NEAREST:
            claims[number] = [checked]
            checked += f" [{number}]"
    citations = []
    for n in sorted(claims):
        passage = passages[n - 1]
        start, end = narrow(passage, " ".join(claims[n]), question)
        citations.append(cite(n, passage, start, end))
    return checked, tuple(citations)


def cite(number: int, passage: Passage, start: int, end: int) -> Citation:
    first, last = start - passage.start, end - passage.start
    return Citation(
        number=number,
        chunk_id=passage.chunk_id,
        document_id=passage.document_id,
        title=passage.title,
        start=start,
        end=end,
        quote=passage.text[first:last],
        page_label=passage.page_label,
        cells=describe_cells(passage.text, passage.table, first, last),
    )


def is_in_their_words(text: str, passages: Sequence[Passage], question: str = "") -> bool:
    """Return whether an answer shares words with its sources that are not in the question.

    Also true where this cannot be decided: for very short answers, and between two languages.
    Names do not count, because invented statements also use the right names.
    """
    own = stems(_NAME.sub(" ", text)) - stems(question)
    source_words = stems(" ".join(p.text for p in passages))
    language = language_of(text)
    same = any(language_of(p.text) == language for p in passages)
    return len(own) < MIN_OWN_WORDS or not same or bool(own & source_words)


def narrow(passage: Passage, claim: str, question: str = "") -> tuple[int, int]:
    """Return the offsets of the sentence that shares most with a claim.

    Words that few sentences of the passage have count more, words of the question less, and a
    long sentence needs more of them. A claim with numbers that the question lacks can be from a
    sentence with these numbers only, so where there are any, the others are left out (numbers are
    no words). A claim without words, such as "26", shares those of the question. Without any common
    word, the offsets of the first such sentence or of the passage's best window are returned.

    With the answers of CMRC2018 that have a number (582, even and odd ones), the sentence of the
    answer is found in 1.00 and 0.99, without this rule in 0.90 and 0.87.
    """
    asked = features(question)
    numbers = set(read_numbers(claim)) - set(read_numbers(question))

    def weigh(words: set[str], shared: dict[str, float]) -> float:
        of_claim = sum((0.3 if w in asked else 1.0) * rarity for w, rarity in shared.items())
        return of_claim / float((6.0 + len(words)) ** 0.5)

    every = _split_sentences(passage, features)
    sentences = _keep_those_with(numbers, passage, every)
    if len(sentences) < len(every):  # the best window may be without these numbers
        start, end = sentences[0][0]
        passage = replace(passage, best_start=start, best_end=end)
    return _choose_sentence(passage, sentences, features(claim) or asked, weigh)


def _keep_those_with(numbers: set[str], passage: Passage, sentences: Sentences) -> Sentences:
    """Return the sentences with most of these numbers, all if none has any."""
    if not numbers:
        return sentences
    base = passage.start
    counts = [
        len(numbers & set(read_numbers(passage.text[start - base : end - base])))
        for (start, end), _ in sentences
    ]
    most = max(counts, default=0)
    return [one for one, count in zip(sentences, counts, strict=True) if count == most]


def read_numbers(text: str) -> list[str]:
    """Return the numbers in a text, in order: 1,000 is 1000, and 3.5 is one number."""
    return _FULL_NUMBER.findall(_THOUSANDS.sub("", text))


def find_key_sentence(passage: Passage, question: str) -> tuple[int, int]:
    """Return the offsets of the sentence that shares most with a question, as `narrow`.

    A sentence that says what something is weighs more for a question that asks this: "The Abbess
    was a brass weight" for "What is the Abbess?". The one for which a passage was found as a
    definition is taken.

    An answer has few words of its question, in other forms ("partner", "partners"), and often
    stands in a long sentence: words count by their stems, whatever the length. The sentence has
    the answer in 0.82 of CMRC2018 and 0.78 of HotpotQA, with `narrow` in 0.69 and 0.75; on
    questions about five novels in 0.32 and 0.28 (`benchmarks.key_sentence`).
    """
    if _is_definition(passage):
        return passage.best_start, passage.best_end
    sentences, defines = _split_sentences(passage, stems), find_definition(question)
    return _choose_sentence(passage, sentences, stems(question), _sum_rarities, defines)


def find_clear_sentences(
    passages: Sequence[Passage], question: str, least: float = CLEAR_SHARE
) -> list[tuple[tuple[int, int], bool]]:
    """Return the key sentence of each passage, best passage first, and whether it is clear.

    A clear sentence has at least half of the best weight that one of the first passages has: those
    further down may have a stray word of the question that no other has. Words weigh one divided by
    the number of sentences of all the passages that have them.

    Of the clear sentences in the first four paragraphs of 50 questions of HotpotQA, 0.40 are
    supporting facts, of all key sentences 0.29; 0.25 of the facts among these are not clear. The
    half was chosen on 50 other questions: 0.47, 0.32 and 0.17 there; with a third 0.40, and 0.12
    not clear (`benchmarks.key_sentence`).
    """
    split = [_split_sentences(passage, stems) for passage in passages]
    asked = stems(question)
    spread = Counter(word for own in split for _, words in own for word in asked & words)
    defines = find_definition(question)
    found, weights = [], []
    for passage, own in zip(passages, split, strict=True):
        start, end = _choose_sentence(passage, own, asked, _sum_rarities, defines)
        inside = (words for (first, last), words in own if first < end and start < last)
        shared = asked & set().union(*inside)
        found.append((start, end))
        weights.append(sum(1.0 / spread[word] for word in shared))
    best = max(weights[:N_COMPARED], default=0.0)
    for place, passage in enumerate(passages):
        if _is_definition(passage):
            found[place] = passage.best_start, passage.best_end
            weights[place] = max(best, weights[place])
    return [(span, weight >= least * best) for span, weight in zip(found, weights, strict=True)]


def _sum_rarities(_: set[str], shared: dict[str, float]) -> float:
    return sum(shared.values())


def _split_sentences(passage: Passage, split: Callable[[str], set[str]]) -> Sentences:
    text, found = passage.text, []
    for start, end in split_sentences(text, language_of(text)):
        words = split(text[start:end]) | split(header_above(text, passage.table, start))
        found.append(((passage.start + start, passage.start + end), words))
    return found


_ARTICLE = r"(?:(?:the|an?)\s+)?"
_DEFINES = 1.3  # times the weight of a sentence: more than being in the best window


def find_definition(question: str) -> re.Pattern[str] | None:
    """Return what a sentence matches that says what or who something is.

    None where the question does not ask this in so many words: "What is the name of his ship?"
    has no such sentence, but one with more of its words.
    """
    asked = find_asked_name(question)
    if asked is None:
        return None
    name = re.escape(question[slice(*asked)])
    if has_han(name):
        return re.compile(rf"\W*{name}[，,]?(?:乃|便|就|本|原)?(?:是|乃)")
    return re.compile(rf"\W*{_ARTICLE}{name}\s+(?:is|are|was|were)\s", re.IGNORECASE)


def _is_definition(passage: Passage) -> bool:
    """Return whether its best window is the sentence that says who or what was asked about."""
    return any(route == DEFINITION for route, _ in passage.routes)


def _choose_sentence(
    passage: Passage,
    sentences: Sentences,
    wanted: set[str],
    weigh: Callable[[set[str], dict[str, float]], float],
    defines: re.Pattern[str] | None = None,
) -> tuple[int, int]:
    """Return the offsets of the sentence with the highest weight.

    Args:
        weigh: gets the words of a sentence, and the wanted ones among them with their rarity:
            one divided by the number of sentences of the passage that have the word.
        defines: a sentence that matches this weighs more.
    """
    spread = Counter(word for _, words in sentences for word in words)
    best, best_score = (passage.best_start, passage.best_end), 0.0
    for (start, end), words in sentences:
        score = weigh(words, {word: 1.0 / spread[word] for word in wanted & words})
        inside = passage.best_start <= start < passage.best_end
        score *= 1.15 if inside else 1.0
        if defines is not None and score:
            text = passage.text[start - passage.start : end - passage.start]
            score *= _DEFINES if defines.match(text) else 1.0
        if score > best_score:
            best, best_score = (start, end), score
    return best


def choose_quotation(passage: Passage, question: str) -> tuple[int, int]:
    """Return what is quoted of a passage for a question: its best window.

    The sentence that is marked in the passage (`find_key_sentence`) is always in it: where the
    best window has another one, that sentence and those around it are quoted. A definition stands
    alone.
    """
    if _is_definition(passage):
        return passage.best_start, passage.best_end
    window = extend_window(passage, (passage.best_start, passage.best_end), question)
    sentence = find_key_sentence(passage, question)
    if window[0] <= sentence[0] and sentence[1] <= window[1]:
        return window
    return extend_window(passage, sentence, question)


def add_marks(sentence: str, marks: str) -> str:
    """Return a sentence with citation marks before its full stop."""
    stop = sentence[-1:] if sentence[-1:] in _STOPS else ""
    return f"{sentence[: len(sentence) - len(stop)]}{marks}{stop}"


def _marks_behind(text: str) -> str:
    """Move marks from the start of a sentence ("[1] She left.") to its end ("She left [1].")."""
    if not _LEADING.match(text):
        return text
    lines = []
    for line in text.split("\n"):
        parts = re.split(r"((?:[\[【]\s*\d{1,3}\s*[\]】]\s*)+)", line)
        moved = parts[0]
        for marks, claim in zip(parts[1::2], parts[2::2], strict=True):
            moved += f"{add_marks(claim.rstrip(), f' {marks.strip()}')} "
        lines.append(moved.strip())
    return "\n".join(lines)


def _spread_marks(text: str, passages: Sequence[Passage]) -> str:
    """Give each sentence its own mark where the model wrote all marks at the end."""
    marks = _MARKS_AT_END.search(text)
    if marks is None:
        return text
    found = map(int, re.findall(r"\d+", marks.group(1)))
    numbers = [n for n in found if 1 <= n <= len(passages)]
    body = text[: marks.start()].rstrip()
    spread, position = "", 0
    for start, end in split_sentences(body, language_of(body)):
        score, number = _nearest_source(body[start:end], passages, numbers)
        spread += body[position:end]
        position = end
        if score > 0.0 and not MARK.search(body[start:end]):
            spread = add_marks(spread, f" [{number}]")
    return spread + body[position:]


def _mark_bare_sentences(text: str, passages: Sequence[Passage], question: str) -> str:
    """Add a mark to each sentence without one that was clearly taken from one source.

    Words of the question do not count, because most sources have them.
    """
    asked = features(question)
    marked, position = "", 0
    for start, end in split_sentences(text, language_of(text)):
        sentence = text[start:end]
        marked += text[position:end]
        position = end
        # A mark at the start of a sentence belongs to the sentence before it.
        front = _MARKS_AT_START.match(sentence)
        has_mark = MARK.search(sentence[front.end() if front else 0 :])
        own = features(sentence) - asked
        if has_mark or _MARKS_AT_START.match(text, end) or len(own) < MIN_OWN_WORDS:
            continue
        shares = [len(own & features(p.text)) / len(own) for p in passages]
        best = max(range(len(shares)), key=lambda i: shares[i])
        others = max((s for i, s in enumerate(shares) if i != best), default=0.0)
        if shares[best] >= CLEARLY_SHARED and others <= 0.5 * shares[best]:
            marked = add_marks(marked, f" [{best + 1}]")
    return marked + text[position:]


def _better_source(claim: str, number: int, passages: Sequence[Passage]) -> int:
    """Return the number of the source that clearly fits better than the cited one, else that."""
    if len(features(claim)) < 4:  # too few words to compare sources
        return number
    best_score, best = _nearest_source(claim, passages, range(1, len(passages) + 1))
    cited_score, _ = _nearest_source(claim, passages, [number])
    clearly = best_score >= CLEARLY_SHARED and cited_score < 0.6 * best_score
    return best if clearly else number


def _nearest_source(
    claim: str, passages: Sequence[Passage], numbers: Sequence[int]
) -> tuple[float, int]:
    """Return the share of a claim's words in the best of these sources, and its number."""
    wanted = features(claim)
    shared = [(len(wanted & features(passages[n - 1].text)), -n) for n in numbers]
    n_shared, number = max(shared, default=(0, 0))
    return n_shared / (1 + len(wanted)), -number


# --- numbers -------------------------------------------------------------------------------------

_SHOWN_MARK = re.compile(r"([ \t]?)[\[【]\s*(\d{1,3}(?:\s*[,，、;]\s*\d{1,3})*)\s*[\]】]")
CODE = re.compile(r"(```.*?(?:```|\Z)|`[^`\n]*`)", re.DOTALL)
_OPEN_MARK = re.compile(r"\s?(?:[\[【][\d\s,，、;]{0,16})?$")


def rank_sources(sources: Sequence[Passage], passages: Sequence[Passage]) -> dict[ChunkId, int]:
    """Return the number of each chunk: its rank among the passages that were found.

    Sources that were not found, such as the sentence of a relation, come after them.
    """
    numbers: dict[ChunkId, int] = {}
    for passage in (*passages, *sources):
        numbers.setdefault(passage.chunk_id, len(numbers) + 1)
    return numbers


def number_by_rank(
    text: str,
    citations: Sequence[Citation],
    passages: Sequence[Passage],
    sources: Sequence[Passage] = (),
) -> tuple[str, tuple[Citation, ...]]:
    """Return an answer and its citations, each with the rank of its passage as its number.

    A model cites passages by their place in the prompt; this is the number that the list of
    passages has from the beginning. Two citations of one passage have the same number. Without
    passages nothing changes, and so it is for an answer with other numbers in brackets, which could
    be mistaken for citations.

    Args:
        sources: of the prompt, which may contain more than was found.
    """
    marked = {int(n) for part in CODE.split(text)[::2] for n in _find_numbers(part)}
    if not passages or not {c.number for c in citations}.issuperset(marked):
        return text, tuple(citations)
    ranks = rank_sources(sources, passages)
    taken = set(ranks.values())
    for citation in citations:  # of what is neither found nor in the prompt
        if citation.chunk_id not in ranks:
            is_free = citation.number > len(passages) and citation.number not in taken
            ranks[citation.chunk_id] = citation.number if is_free else max(taken) + 1
            taken.add(ranks[citation.chunk_id])
    numbers = {c.number: ranks[c.chunk_id] for c in citations}
    found = (replace(citation, number=ranks[citation.chunk_id]) for citation in citations)
    return change_numbers(text, numbers), tuple(sorted(found, key=lambda c: c.number))


def change_numbers(text: str, numbers: Mapping[int, int]) -> str:
    """Return a text with other numbers in its citation marks; marks without any are removed."""

    def change(match: re.Match[str]) -> str:
        own = [numbers[n] for n in map(int, _find_numbers(match.group())) if n in numbers]
        return f"{match[1]}[{', '.join(map(str, dict.fromkeys(own)))}]" if own else ""

    parts = CODE.split(text)  # every second one is code
    parts[::2] = [_SHOWN_MARK.sub(change, part) for part in parts[::2]]
    return "".join(parts)


def _find_numbers(text: str) -> list[str]:
    return [n for mark in _SHOWN_MARK.findall(text) for n in re.findall(r"\d+", mark[1])]


def stream_by_rank(
    pieces: Generator[str, None, Answer], sources: Sequence[Passage], passages: Sequence[Passage]
) -> Generator[str, None, Answer]:
    """Yield a text while it is written, with the numbers of `number_by_rank`.

    A mark that is not complete is held back. The answer is returned as it is. Without passages the
    text is yielded unchanged.
    """
    if not passages:
        return (yield from pieces)
    ranks = rank_sources(sources, passages)
    numbers = {place: ranks[source.chunk_id] for place, source in enumerate(sources, 1)}
    held = ""
    try:
        while True:
            try:
                piece = next(pieces)
            except StopIteration as end:
                if held:
                    yield held
                answer: Answer = end.value
                return answer
            text = held + piece
            is_open = _OPEN_MARK.search(text)
            place = is_open.start() if is_open is not None else len(text)
            held = text[place:]
            if text[:place]:
                yield change_numbers(text[:place], numbers)
    finally:
        pieces.close()


# --- repetitions during generation ---------------------------------------------------------------

_NOT_WORDS = re.compile(r"\[\d{1,3}\]|[\W_]+")
_MIN_LENGTH = 12  # letters or characters; shorter sentences may be repeated


class RepetitionDetector:
    """Finds the first repeated sentence of a text that is being generated."""

    def __init__(self) -> None:
        self._text = ""
        self._start = 0  # of the current sentence
        self._seen: set[str] = set()
        self.cut: int | None = None  # offset of the first repeated sentence

    def add(self, piece: str) -> bool:
        """Add a piece of text; return whether a sentence was repeated."""
        searched = len(self._text)
        self._text += piece
        for end in _SENTENCE_END.finditer(self._text, searched):
            bare = _NOT_WORDS.sub("", self._text[self._start : end.end()]).casefold()
            if len(bare) >= _MIN_LENGTH and bare in self._seen:
                self.cut = self._start
                return True
            self._seen.add(bare)
            self._start = end.end()
        return False


# --- fixed texts ---------------------------------------------------------------------------------

SHOWN_SHARE = 0.3  # of the best passage's score; others are not shown
MAX_PASSAGES, MAX_NEAREST = 5, 3  # in place of an answer, and where there is none
_HEADING = re.compile(r"^#{1,6}[ \t].*$", re.MULTILINE)
_NOT_SAID = re.compile(
    r"(documents|sources|passages)\b.{0,30}\b(don't|do not|doesn't|does not)\b.{0,30}"
    r"\b(say|contain|mention|provide|tell|state)"
    r"|\bno answer was found\b"
    r"|(没有|未)(明确)?(提到|提及|说明|记载|找到)|无法(回答|确定)",
    re.IGNORECASE,
)
_MAX_REFUSAL = 220  # characters; a longer text has more content than a refusal

NOT_FOUND = {
    "en": "Your documents don't seem to say. Nothing close to the question was found.",
    "zh": "您的文档中似乎没有提到。没有找到与问题相近的内容。",
}
WEAK = {
    "en": "(Little in your documents has to do with this question.)",
    "zh": "（您的文档中与这个问题有关的内容很少。）",
}
UNRELATED = {
    "en": "Your documents don't seem to say. These passages come nearest:",
    "zh": "您的文档中似乎没有提到。最接近的段落如下：",
}
NOT_IN_READ = {  # by a small model, which may overlook it; and other passages were not read
    "en": "No answer was found in the passages nearest to the question. Others may have one. "
    "The nearest are:",
    "zh": "在与问题最接近的段落中没有找到答案，其他段落中可能有。最接近的段落如下：",
}
UNDECIDED = {  # a question that asks for yes or no
    "en": "No passage was found that clearly says yes or no. These come nearest:",
    "zh": "没有找到明确说明是或否的段落。最接近的段落如下：",
}
UNKNOWN = {
    "en": "{} does not occur in your documents. These passages come nearest:",
    "zh": "您的文档中没有出现{}。最接近的段落如下：",
}
OWN_WORDS = {
    "en": "(The passages do not say this in these words. Check them.)",
    "zh": "（段落中没有这样的原话，请核对。）",
}
ONLY_PASSAGES = {
    "en": "These passages bear most on your question:",
    "zh": "与您的问题最相关的段落：",
}
NEAREST = {
    "en": "These passages come nearest:",
    "zh": "最接近的段落如下：",
}
NOT_SAID = {
    "en": "Your documents don't seem to say.",
    "zh": "您的文档中似乎没有提到。",
}
ACROSS = {
    "en": "(Put into English from the answer in the sources' language: {})",
    "zh": "（以上译自按资料原文作出的回答：{}）",
}
ONLY_REPORTS = {
    "en": "These themes of your documents bear most on your question:",
    "zh": "您的文档中与这个问题最相关的主题：",
}
BYPASSED = {
    "en": "(From the model's own knowledge, not from your documents.)",
    "zh": "（这是模型自身的知识，不来自您的文档。）",
}


def is_refusal(text: str) -> bool:
    """Return whether an answer only states that the documents do not contain it."""
    first = re.split(r"(?<=[.!?。！？])\s*", text.strip(), maxsplit=1)[0]
    return len(text) <= _MAX_REFUSAL and bool(_NOT_SAID.search(first))


def find_unknown_name(text: str) -> str:
    """Return the name that an answer says is in no document, "" if it says no such thing."""
    first = text.split("\n", 1)[0].strip()
    for form in UNKNOWN.values():
        before, _, behind = form.partition("{}")
        if first.startswith(before) and first.endswith(behind):
            return first[len(before) : -len(behind)].strip()
    return ""


def _describe_unrelated(found: RetrievalResult, language: str) -> str:
    if not found.weak:
        return ""
    if found.unknown:
        return UNKNOWN[language].format(found.unknown[0])
    return UNRELATED[language]


def build_passages_answer(
    found: RetrievalResult, language: str, head: Mapping[str, str] | None = None
) -> Answer:
    """Return an answer that quotes the best passages.

    Args:
        head: the heading; None for one that says whether anything near the question was found.
    """
    if not found.passages:
        return Answer(NOT_FOUND[language], (), found)
    by_result = _describe_unrelated(found, language) or ONLY_PASSAGES[language]
    paragraphs, citations = [by_result if head is None else head[language]], []
    most = MAX_PASSAGES if paragraphs[0] == ONLY_PASSAGES[language] else MAX_NEAREST
    least = SHOWN_SHARE * found.passages[0].score
    for number, passage in enumerate(found.passages[:most], start=1):
        if passage.score < least:
            continue
        start, end = choose_quotation(passage, found.question)
        quote = passage.text[start - passage.start : end - passage.start]
        words = show_text(_HEADING.sub("", quote).strip() or quote, one_line=True).text
        paragraphs.append(f"> {escape_markdown(words).strip()} [{number}]")
        citations.append(cite(number, passage, start, end))
    return Answer("\n\n".join(paragraphs), tuple(citations), found)


def append_nearest(answer: Answer, language: str, n_read: int) -> Answer:
    """Return an answer that states that nothing was found, with the nearest passages.

    One sentence introduces them where the answer has no words of its own. It is about all documents
    only if the model read all passages that were found.

    Args:
        n_read: the number of passages in the prompt.
    """
    is_plain = MARK.sub("", answer.text).strip() == NOT_SAID[language]
    of_read = NOT_IN_READ if len(answer.found.passages) > n_read else UNRELATED
    head = of_read if is_plain else NEAREST
    # of a question without anything near it, the result says more
    nearest = build_passages_answer(answer.found, language, None if answer.found.weak else head)
    text = nearest.text if is_plain else append_text(answer, nearest.text).text
    return replace(answer, text=text, citations=nearest.citations)


def escape_markdown(text: str) -> str:
    """Return a quotation that is shown as it is: nothing in it is markup or a citation mark.

    What could be is replaced by what looks alike: the quotation is read, not run. Names of program
    code keep their underscores, and "[12]" of a paper becomes "(12)". Marks that begin a list or a
    heading are left out at the beginning.
    """
    return escape_within_line(text).lstrip("#>+- ")


def escape_within_line(text: str) -> str:
    """Return words that don't begin a line as they are: as `escape_markdown`, "-1.8" stays."""
    text = re.sub(r"(?<![^\W_])_+|_+(?![^\W_])", " ", text)  # none inside a word
    text = re.sub(r"[\[【](\s*\d+(?:\s*[,，、;–-]\s*\d+)*\s*)[\]】]", r"(\1)", text)
    text = text.replace("*", "\N{ASTERISK OPERATOR}").replace("`", "'").replace("](", "] (")
    text = re.sub(r"<(?=[A-Za-z][A-Za-z\d+.-]*:|[\w.+-]+@)", "< ", text)  # an address
    return re.sub(r" {2,}", " ", text)


_TOKEN = re.compile(rf"[{HAN}]|[^\W_{HAN}]+")


def find_new_words(answer: str, sentence: str, question: str) -> Span | None:
    """Return where a sentence has the words of an answer that the question lacks.

    Of the question what Alice finds on the table, "Alice finds a tiny golden key on the table" has
    the new words "a tiny golden key". The longest run of words that both have is taken; None where
    it has less than half of the answer's new words, because the sentence then has other words.
    """
    answer, sentence, question = answer.casefold(), sentence.casefold(), question.casefold()
    tokens = [match.span() for match in _TOKEN.finditer(answer)]
    asked = stems(question)
    new = stems(answer) - asked
    for n in range(len(tokens), 0, -1):
        for i in range(len(tokens) - n + 1):
            words = answer[tokens[i][0] : tokens[i + n - 1][1]]
            if words not in sentence or 2 * len(stems(words) - asked) < max(1, len(new)):
                continue
            edge = "" if has_han(words) else r"\b"
            if match := re.search(f"{edge}{re.escape(words)}{edge}", sentence):
                start, end = match.span()
                # the whole sentence is marked with its full stop
                is_whole = not start and not sentence[end:].strip(_STOPS)
                return (start, len(sentence) if is_whole else end)
    return None
