"""Answers a question with yes or no, by the sentence that decides it.

The rules of `yes_no` find that sentence among all passages found; to a yes the model may object.
Where no sentence decides alone, the model reads the passages that have all words of the question
or name its persons, and must be surer than it is of what only stands near the question (decision
181). It never says no by itself. Owns the prompt, these limits and the words around the answer.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from ..llm.protocols import ChatModel
from ..model import READ_ONE_BY_ONE, Answer, ChatMessage, Passage, RetrievalResult, Stage
from ..progress import CancelToken, Progress, ProgressCallback, ignore_progress
from ..prompt_files import load_prompt
from ..prompt_program import PASSAGE, Choice, Choose, PromptProgram, Talk
from ..text.shown_text import Span
from .answer_ties import has_name
from .citations import UNDECIDED, build_passages_answer, find_key_sentence
from .claims import Verdict, quote_sentence, state_quotations
from .context import name_place
from .short_answers import cut_window
from .yes_no import find_decisions, has_all_words, is_plain, list_names, may_confirm

# Log-odds of yes against no: from which on the model decides, of passages that have all words of
# the question and of others with its persons; and below which it objects to a sentence that decides
# by the rules (decision 181).
SURE_YES = 1.5
SURE_YES_IN_OTHER_WORDS = 2.0
OBJECTION = 0.0
SAYS = {"en": ("Yes: {}", "No: {}"), "zh": ("是：{}", "否：{}")}


@dataclass(frozen=True, slots=True)
class YesOrNo:
    """The answer to a question: what it says, or that no passage decides it.

    Attributes:
        verdict: on the sentence that decides; None where none does.
        read: the numbers of the passages that the model was asked about.
    """

    is_yes: bool = False
    verdict: Verdict | None = None
    read: tuple[int, ...] = ()


def decide_question(
    found: RetrievalResult,
    find_people: Callable[[str], Sequence[frozenset[str]]],
    language: str,
    most_read: int,
    model: ChatModel,
    cancel: CancelToken,
    on_step: ProgressCallback = ignore_progress,
) -> YesOrNo:
    """Return which sentence of the passages answers a question with yes or no.

    Two sentences that say different things decide nothing, nor does one with another person
    between the words of the question, who may be the one who acts.

    Args:
        find_people: returns all names of each person that a text names.
        most_read: passages that the model may be asked about.
    """
    people = find_people(found.question)
    wordings = list(_vary_names(found.question, people))
    decided = [
        (number, (passage.start + one.span[0], passage.start + one.span[1]), one.is_yes)
        for number, passage in enumerate(found.passages, 1)
        for wording in wordings
        for one in find_decisions(wording, passage.text)
        if not set(find_people(passage.text[slice(*one.region)])) - set(people)
    ]
    read: list[int] = []
    if decided:
        if len({is_yes for _, _, is_yes in decided}) > 1:
            return YesOrNo()
        number, span, is_yes = decided[0]
        if not is_yes:  # a small model overlooks "not", so it is not asked
            return YesOrNo(False, quote_sentence(number, span, found.passages))
        on_step(Progress("comparing"))
        read_from = replace(found.passages[number - 1], best_start=span[0], best_end=span[1])
        odds = ask_yes_or_no(read_from, found.question, language, model, cancel)
        if odds is None or odds < OBJECTION:
            return YesOrNo(read=(number,))
        verdict = quote_sentence(number, span, found.passages, odds, OBJECTION)
        return YesOrNo(True, verdict, (number,))
    for number, span, needed in _list_candidates(found, wordings, people, most_read):
        passage = found.passages[number - 1]
        on_step(Progress("reading", len(read) + 1, most_read, chunk_id=passage.chunk_id))
        read.append(number)
        read_from = replace(passage, best_start=span[0], best_end=span[1])
        odds = ask_yes_or_no(read_from, found.question, language, model, cancel)
        if cancel.cancelled:
            break
        if odds is not None and odds >= needed:
            verdict = quote_sentence(number, span, found.passages, odds, needed)
            return YesOrNo(True, verdict, tuple(read))
    return YesOrNo(read=tuple(read))


def _list_candidates(
    found: RetrievalResult,
    wordings: Sequence[str],
    people: Sequence[Collection[str]],
    most: int,
) -> list[tuple[int, Span, float]]:
    """Return passages that may say yes: number, best sentence, and the odds that they need.

    First those with all words of the question, then the best others that name its persons.
    """
    known = " ".join(name for names in people for name in names)
    others_named = ({name} for name in list_names(found.question) if name not in known)
    named: list[Collection[str]] = [*people, *others_named]
    with_words: list[tuple[int, Span, float]] = []
    others: list[tuple[int, Span, float]] = []
    for number, passage in enumerate(found.passages, 1):
        span = _find_sentence(passage, wordings, people)
        if span is not None:
            with_words.append((number, span, SURE_YES))
            continue
        span = find_key_sentence(passage, found.question)
        sentence = passage.text[span[0] - passage.start : span[1] - passage.start]
        window = cut_window(passage, found.question)
        is_named = bool(named) and all(has_name(window, names) for names in named)
        is_turned = _has_other_order(found.question, sentence, named)
        if number <= most and is_named and not is_turned and is_plain(found.question, sentence):
            others.append((number, span, SURE_YES_IN_OTHER_WORDS))
    return [*with_words, *others][:most]


def _has_other_order(question: str, sentence: str, named: Sequence[Collection[str]]) -> bool:
    """Return whether a sentence names two persons of a question the other way round."""

    def find(text: str) -> list[int]:
        return [min(text.find(name) for name in names if name in text) for names in both]

    both = [
        names
        for names in named
        if any(name in question for name in names) and any(name in sentence for name in names)
    ]
    places = [place for _, place in sorted(zip(find(question), find(sentence), strict=True))]
    return places != sorted(places)


def _vary_names(question: str, people: Sequence[Collection[str]]) -> Iterator[str]:
    """Yield a question, and again with each other name of one person in it."""
    yield question
    for names in people:
        asked = max((name for name in names if name in question), key=len, default="")
        if asked:
            others = (name for name in sorted(names) if name not in question)
            yield from (question.replace(asked, name) for name in others)


def _find_sentence(
    passage: Passage, wordings: Sequence[str], people: Sequence[Collection[str]]
) -> Span | None:
    """Return the sentence of a passage that says most of a question, None if words are missing."""
    for wording in wordings:
        named = (max((n for n in names if n in wording), key=len, default="") for names in people)
        if has_all_words(wording, cut_window(passage, wording)):
            span = find_key_sentence(passage, wording)
            sentence = passage.text[span[0] - passage.start : span[1] - passage.start]
            if may_confirm(wording, sentence, [name for name in named if name]):
                return span
    return None


def ask_yes_or_no(
    passage: Passage, question: str, language: str, model: ChatModel, cancel: CancelToken
) -> float | None:
    """Return the model's log-odds of yes against no, None if the passage can't be read.

    "The passage does not say" is the third choice. Each stands in each place once, because small
    models prefer a letter.
    """
    instruction, asked, form, yes, no, nothing = (
        part.strip() for part in load_prompt("yes_or_no", language).split("---")
    )
    prompt = asked.format(passage=cut_window(passage, question), question=question)
    messages = (ChatMessage("system", instruction), ChatMessage("user", prompt + PASSAGE))
    orders = ((yes, no, nothing), (no, nothing, yes), (nothing, yes, no))
    texts = tuple("\n" + form.format(first=a, second=b, third=c) for a, b, c in orders)

    def talk() -> Talk:
        choices: Sequence[Choice] = yield Choose(("", "", ""), ("A", "B", "C"), texts)
        both = [
            choice.logprobs[order.index(yes)] - choice.logprobs[order.index(no)]
            for order, choice in zip(orders, choices, strict=True)
        ]
        return sum(both) / len(both)

    program = PromptProgram("", messages, "", talk)
    values = [result.value for result in model.run_programs([program], cancel=cancel)]
    return None if cancel.cancelled or not values else values[0]


def state_yes_or_no(decided: YesOrNo, found: RetrievalResult, language: str) -> Answer:
    """Return the answer: the sentence that decides, or the nearest passages."""
    cited = decided.verdict.claim.number if decided.verdict is not None else 0
    places = {number: name_place(found.passages[number - 1]) for number in decided.read}
    stage = Stage(
        READ_ONE_BY_ONE,
        tuple(place for number, place in places.items() if number == cited),
        tuple(place for number, place in places.items() if number != cited),
    )
    found = replace(found, stages=(*found.stages, stage))
    if decided.verdict is None:
        head = None if found.weak else UNDECIDED
        return build_passages_answer(replace(found, weak=True), language, head)
    answer = state_quotations([decided.verdict], found.passages, found, language)
    form = SAYS[language][0 if decided.is_yes else 1]
    return replace(answer, text=form.format(answer.text))
