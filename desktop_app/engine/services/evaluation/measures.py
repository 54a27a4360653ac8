"""Measures of answers that need no judge: evidence, citations, gold answers, refusals, time.

Each function is one measure, with its definition and its source; benchmarks use the same ones.
`measure_outcome` gives all of them for one question, by the keys of `MEASURES`.
"""

from __future__ import annotations

import re
import string
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Protocol

from ...answering.citations import (
    NOT_IN_READ,
    NOT_SAID,
    ONLY_PASSAGES,
    UNDECIDED,
    UNKNOWN,
    UNRELATED,
    is_refusal,
)
from ...answering.claims import INTRODUCTION, find_claims
from ...answering.guesses import find_guess
from ...messages import Message
from ...model import Answer, Citation
from ...writing_systems import has_han
from .model import Outcome, SourcedSentence, Span
from .places import PlacedEvidence, PlacedQuestion

HIGHER, LOWER, NEITHER = 1, -1, 0


@dataclass(frozen=True, slots=True)
class Measure:
    """A measure as it is shown.

    Attributes:
        explanation: what it is, for a reader who knows none of these measures.
        better: `HIGHER` or `LOWER` where one of two columns can be better in it.
        unit: "share" (0 to 1), "s" or "tokens"; times are summed up by median and 95 % quantile.
    """

    key: str
    title: Message
    explanation: Message
    better: int = HIGHER
    unit: str = "share"


MEASURES = (
    Measure(
        "evidence_recall",
        Message("Evidence in the passages"),
        Message("How much of the sentences with the answer was found."),
    ),
    Measure(
        "evidence_in_prompt",
        Message("Evidence in the prompt"),
        Message("How much of the sentences with the answer the model reads."),
    ),
    Measure(
        "statement_words",
        Message("Words of the evidence in the prompt"),
        Message("How many words of the evidence one passage has."),
    ),
    Measure(
        "answer_in_prompt",
        Message("Answer in the prompt"),
        Message("How many words of the known answer the model reads."),
    ),
    Measure(
        "f1",
        Message("Answer: F1"),
        Message("How alike the answer and the known one are."),
    ),
    Measure(
        "answer_shown",
        Message("Answer in what is shown"),
        Message("How many words of the known answer are shown."),
    ),
    Measure(
        "claim_in_citation",
        Message("Cited sentence has the claim"),
        Message("How many words of a statement its source has."),
    ),
    Measure(
        "answer_in_citation",
        Message("Cited sentence has the answer"),
        Message("How many words of the known answer the source has."),
    ),
    Measure(
        "answered",
        Message("Answerable: answered"),
        Message("How many questions got an answer, right or wrong."),
    ),
    Measure(
        "refused",
        Message("Unanswerable: refused"),
        Message("How often “not in the documents” was rightly said."),
    ),
    Measure(
        "faithfulness",
        Message("Sentences that a model finds supported"),
        Message("How many sentences follow from their sources, says a model."),
    ),
    Measure(
        "first_s",
        Message("First word"),
        Message("How long you wait for the first word (median)."),
        LOWER,
        "s",
    ),
    Measure(
        "seconds",
        Message("Whole answer"),
        Message("How long you wait for the whole answer (median)."),
        LOWER,
        "s",
    ),
    Measure(
        "prompt_tokens",
        Message("Tokens read"),
        Message("How long the text is that the model reads."),
        NEITHER,
        "tokens",
    ),
    Measure(
        "written_tokens",
        Message("Tokens shown"),
        Message("How long the answer is."),
        NEITHER,
        "tokens",
    ),
)


def measure_outcome(question: PlacedQuestion, outcome: Outcome) -> dict[str, float]:
    """Return the measures of one outcome by key; those that do not apply are missing.

    Args:
        outcome: with the texts of its passages and sources.
    """
    if outcome.error:
        return {}
    asked, found = question.asked, dict[str, float]()
    if asked.is_answerable and outcome.has_context:
        texts = [span.text for span in outcome.sources]
        if question.evidence:
            found["evidence_recall"] = evidence_recall(question.evidence, outcome.passages)
            found["evidence_in_prompt"] = evidence_recall(question.evidence, outcome.sources)
        if question.statements:
            found["statement_words"] = statement_words(question.statements, texts)
        if asked.answers:
            found["answer_in_prompt"] = answer_in_text(asked.answers, " ".join(texts))
    if asked.is_answerable:
        found["answered"] = float(not outcome.is_refused)
    else:
        found["refused"] = float(outcome.is_refused)
    if not outcome.has_model:
        return found
    if asked.is_answerable and asked.answers:
        shown = plain_answer(outcome.text)
        found["f1"] = answer_f1(shown, asked.answers) if is_stated(outcome.text) else 0.0
        found["answer_shown"] = answer_in_text(asked.answers, shown)
        if outcome.citations and not outcome.is_refused:
            quotes = [one.quote for one in outcome.citations]
            found["answer_in_citation"] = max(answer_in_text(asked.answers, q) for q in quotes)
    stated = [claim for claim in outcome.claims if claim.is_stated]
    if stated:
        shares = [claim_in_citation(one.text, one.quote, asked.text) for one in stated]
        found["claim_in_citation"] = sum(shares) / len(shares)
    if outcome.first_s:
        found["first_s"] = outcome.first_s
    found["seconds"] = outcome.seconds
    found["prompt_tokens"] = float(outcome.n_prompt_tokens)
    found["written_tokens"] = float(outcome.n_written_tokens)
    return found


# --- evidence ------------------------------------------------------------------------------------


class _Placed(Protocol):
    """A part of a document: a `Span`, or a `Passage`."""

    @property
    def document_id(self) -> int: ...
    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...


PAGE_CHARS = 200  # of a page that a passage must have; a line at its edge is not the page


def evidence_recall(evidence: Sequence[PlacedEvidence], passages: Sequence[_Placed]) -> float:
    """Return the share of the evidence that stands in the passages, 0 to 1.

    The mean over all evidence of the share of its characters that some passage has; of evidence
    that stands at several places, the best one counts. Evidence that is a whole page counts as
    found where the passages have `PAGE_CHARS` characters of it, because a passage is shorter than
    a page. This is recall of the supporting facts of HotpotQA (Yang et al. 2018, EMNLP, D18-1259)
    and "context recall" of RAGAS (Es et al. 2024, EACL demo, arXiv 2309.15217), by places instead
    of a model's judgement.
    """
    return sum(max(_found(p, passages) for p in one.places) for one in evidence) / len(evidence)


def _found(place: Span, passages: Sequence[_Placed]) -> float:
    share = covered_share(passages, place.document_id, place.start, place.end)
    if place.text:
        return share
    n_chars = place.end - place.start
    return float(share * n_chars >= min(PAGE_CHARS, n_chars / 2))


def covered_share(passages: Iterable[_Placed], document_id: int, start: int, end: int) -> float:
    """Return how much of a document's [start, end) stands in some passages, 0 to 1."""
    spans = sorted((p.start, p.end) for p in passages if p.document_id == document_id)
    covered, at = 0, start
    for first, last in spans:
        first, last = max(first, at), min(last, end)
        if first < last:
            covered += last - first
            at = last
    return covered / max(1, end - start)


def statement_words(statements: Sequence[str], texts: Sequence[str]) -> float:
    """Return the mean share of each statement's content words that one text has, the best one.

    For evidence that is written in other words than the document's, as in GraphRAG-Bench (Xiang
    et al. 2025, arXiv 2506.05690), where a model judges it. Words in one passage, because all
    passages together have most words by chance. A low bound of support, not a proof.
    """
    shares = [max((contained_share(s, t) for t in texts), default=0.0) for s in statements]
    return sum(shares) / len(shares)


# --- gold answers --------------------------------------------------------------------------------

_ARTICLES = re.compile(r"\b(a|an|the)\b")
_PUNCTUATION = str.maketrans("", "", string.punctuation + "“”‘’—–…")
_EMPTY = frozenset(
    re.findall(
        r"\w+",
        """
    a an the of to in on at by for from with and or but as is was were are be been being it its he
    his him she her they their them that this these those who which what not had has have did do
    does
    """,
    )
)


def answer_f1(text: str, answers: Sequence[str]) -> float:
    """Return the F1 of an answer with the nearest of the correct ones, 0 to 1.

    Words as SQuAD counts them (Rajpurkar et al. 2016, EMNLP, D16-1264): lower case, without
    punctuation and articles. Where the correct answer has Chinese: characters, of the longest part
    that both have, as CMRC 2018 counts them (Cui et al. 2019, EMNLP, D19-1600).
    """
    return max(short_f1(text, answer) for answer in answers)


def short_f1(text: str, gold: str) -> float:
    """Return the F1 of words; of Chinese, of the longest common part; see `answer_f1`."""
    if not has_han(gold):
        return token_f1(text, gold)
    one, other = _squeeze(text), _squeeze(gold)
    match = SequenceMatcher(None, one, other, autojunk=False).find_longest_match()
    return 2 * match.size / (len(one) + len(other)) if one or other else 0.0


def token_f1(text: str, gold: str) -> float:
    """Return the F1 of words with SQuAD's normalisation."""
    given, wanted = Counter(normalise_words(text)), Counter(normalise_words(gold))
    shared = sum((given & wanted).values())
    if not shared:
        return 0.0
    precision, recall = shared / given.total(), shared / wanted.total()
    return 2 * precision * recall / (precision + recall)


def normalise_words(text: str) -> list[str]:
    """Return the words of a text as SQuAD's script does: `normalize_answer`, then `split`."""
    return _ARTICLES.sub(" ", text.lower().translate(_PUNCTUATION)).split()


def is_equal(text: str, gold: str) -> bool:
    """Return whether two answers have the same letters and numbers ("exact match")."""
    return _squeeze(text) == _squeeze(gold)


def answer_in_text(answers: Sequence[str], text: str) -> float:
    """Return the share of a correct answer that a text has, of the answer with the most of it.

    Content words, or of Chinese the longest part. 1 is what DPR counts as a hit ("the answer is
    in the passage", Karpukhin et al. 2020, EMNLP, 2020.emnlp-main.550), but for the words' order.
    """
    return max(share_of_gold(answer, text) for answer in answers)


def share_of_gold(gold: str, text: str) -> float:
    """Return the share of one correct answer that a text has: of words, or its longest part."""
    if not has_han(gold):
        return contained_share(gold, text)
    one, other = _squeeze(text), _squeeze(gold)
    match = SequenceMatcher(None, one, other, autojunk=False).find_longest_match()
    return match.size / len(other) if other else 1.0


def contained_share(gold: str, text: str) -> float:
    """Return the share of a text's content words that another one has; 1 if it has none."""
    wanted = set(content_words(gold))
    return len(wanted & set(content_words(text))) / len(wanted) if wanted else 1.0


def content_words(text: str) -> list[str]:
    """Return the words of a text in lower case, without grammatical ones and "'s"."""
    words = re.findall(r"[^\W_]+", re.sub(r"['’]s\b", "", text.casefold()))
    return [w for w in words if w not in _EMPTY]


def _squeeze(text: str) -> str:
    return "".join(re.findall(r"[^\W_]", text.casefold()))


# --- what an answer shows ------------------------------------------------------------------------

_MARKS = re.compile(r"\s*\[\d+\]")
_BULLET = re.compile(r"^\s*[-*•]\s+")
_SHOWN = re.compile(r"(?P<words>[^\n]+?)\s*\[(?P<number>\d+)\]")
# Passages follow, so the whole text is too long for `is_refusal`.
_WITHOUT_ANSWER = (*UNRELATED.values(), *NOT_IN_READ.values(), *UNDECIDED.values())


def is_refused(text: str) -> bool:
    """Return whether an answer says that the documents do not have it, whatever it quotes.

    The share of refusals among questions without an answer, and of answers among the others, are
    what SQuAD 2.0 (Rajpurkar et al. 2018, ACL, P18-2124) measures together as "no-answer" F1; here
    they stand apart, because one is easily bought with the other. "Others may" is a refusal, too:
    what was read has no answer, and none is given.
    """
    return text.startswith((*NOT_SAID.values(), *_WITHOUT_ANSWER)) or _says_no(text)


def is_stated(text: str) -> bool:
    """Return whether an answer states something, and does not only quote or refuse."""
    only_quotes = (*INTRODUCTION.values(), *ONLY_PASSAGES.values())
    if find_guess(text) is not None:  # "Perhaps"
        return False
    return not (text.startswith((*_WITHOUT_ANSWER, *only_quotes)) or _says_no(text))


def _says_no(text: str) -> bool:
    """Return whether an answer refuses, or says that a name occurs nowhere."""
    return is_refusal(text) or any(form.split("{}")[1] in text for form in UNKNOWN.values())


def plain_answer(text: str) -> str:
    """Return an answer without its marks, as one line."""
    return " ".join(_MARKS.sub("", text).split())


def claim_in_citation(claim: str, quote: str, question: str) -> float:
    """Return the share of a sentence's content that the cited sentence has, 0 to 1.

    Content words (of Chinese: characters in pairs) that are not in the question, which a citation
    need not repeat. Citation precision of ALCE (Gao et al. 2023, EMNLP, 2023.emnlp-main.398) by
    words instead of a model of entailment.
    """
    if has_han(claim):
        own = _pairs(claim) - _pairs(question)
        return len(own & _pairs(quote)) / len(own) if own else 1.0
    own = set(content_words(claim)) - set(content_words(question))
    return len(own & set(content_words(quote))) / len(own) if own else 1.0


def _pairs(text: str) -> set[str]:
    squeezed = _squeeze(text)
    return {squeezed[i : i + 2] for i in range(len(squeezed) - 1)}


def iter_shown(answer: Answer) -> Iterator[tuple[str, Citation, bool]]:
    """Yield each claim of an answer with what it cites, and whether the model states it.

    The sentences that stood are those of the stage "answer checked"; the others are quotations.
    """
    by_number: dict[int, list[Citation]] = defaultdict(list)
    for citation in answer.citations:
        by_number[citation.number].append(citation)
    check = answer.found.check
    kept = check.kept if check is not None else ()
    confirmed = [c.text.strip(" .。") for c in check.checked if not c.failed] if check else []
    for match in _SHOWN.finditer(answer.text):
        cited = by_number.get(int(match["number"]))
        words = _BULLET.sub("", match["words"]).strip(" >.")
        if not cited or not words:
            continue
        # quotations of one passage have one number, which is its rank
        start = words.strip("“”\"'")[:40]
        # in a line for a part of the question, the answer stands behind the part
        is_answer = any(text and words.endswith(text) for text in confirmed)
        citation = next((c for c in cited if start in " ".join(c.quote.split())), cited[0])
        yield words, citation, is_answer or any(words in sentence for sentence in kept)


def list_sourced(answer: Answer) -> list[SourcedSentence]:
    """Return each stated sentence of an answer with the part of the passage that it cites.

    This is what a judging model reads for "faithfulness": the share of sentences that their
    sources support (RAGAS, arXiv 2309.15217). In modes that read reports no sentence is checked,
    and all that cite a passage are given.
    """
    if not is_stated(answer.text) or is_refused(answer.text):
        return []
    check = answer.found.check
    claims = find_claims(answer.text, answer.found.passages, answer.found.question)
    return [
        SourcedSentence(claim.text, claim.evidence)
        for claim in claims
        if claim.number and (check is None or any(claim.text in kept for kept in check.kept))
    ]
