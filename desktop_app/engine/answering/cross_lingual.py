"""A question in one language about documents in another, for small chat models.

Such a model, asked in English about Chinese passages, mostly says that they don't tell. Asked in
Chinese it answers. So the question is put into the sources' language, with the names as the
sources write them, answered there, and the answer put back sentence by sentence. Owns when that
is done, the two translations and their checks; what is found and answered is done elsewhere.
"""

from __future__ import annotations

import re
import time
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, replace

from ..extraction.llm.tasks import DESCRIBE_FROM_PARAMETERS
from ..graph.transliteration import romanize_name
from ..llm.protocols import ChatModel
from ..model import Answer, ChatMessage, Passage, RetrievalResult, Stage
from ..progress import CancelToken, Progress
from ..prompt_files import load_prompt
from ..query import GRAPH_MODES
from ..retrieval.retriever import Retriever
from ..retrieval.strategies.graph_routes import interleave
from ..text.language import detect_language
from ..text.sentences import split_sentences
from .answer_templates import ACROSS
from .preparation import UnderstoodQuestion
from .query_rewriting import FindNames

QUESTION_TOKENS, SENTENCE_TOKENS = 60, 120
N_SOURCES, MOSTLY = 5, 0.8  # passages whose language counts, and their share in one
LANGUAGES = ("en", "zh")
_ASKING = {"en": re.compile(r"\?\s*$"), "zh": re.compile(r"[？?]\s*$")}
_MARKS = re.compile(r"(?:\s*[\[【]\s*\d{1,3}(?:\s*[,，]\s*\d{1,3})*\s*[\]】])+")
_LOOP = re.compile(r"(.{3,})\1\1", re.DOTALL)
_NAME = re.compile(r"(?<![A-Za-z])[A-Z][a-z]+")
_ASKS = {
    "en": re.compile(r"\b(?:who|whom|whose|what|which|when|where|why|how)\b", re.IGNORECASE),
    "zh": re.compile("谁|什么|怎|如何|何|哪|几|多[少大久长远高]|啥|干嘛"),
}
_CHINESE = re.compile(r"[\u3400-\u9fff]")


@dataclass(frozen=True, slots=True)
class QuestionTranslation:
    """A question as it is put to the sources, and the way back.

    Attributes:
        asked: the question in the sources' language.
        found: what it finds together with the question as it was put.
        language: of the person, which the answer is put back into.
        names: (name in the sources, name in the question).
    """

    asked: UnderstoodQuestion
    found: RetrievalResult
    language: str
    names: tuple[tuple[str, str], ...]


def build_question_translation(
    asked: UnderstoodQuestion, found: RetrievalResult, finder: Retriever, model: ChatModel
) -> QuestionTranslation | None:
    """Return how to ask in the sources' language; None where there is no need, or no good way.

    A model of some size answers across languages by itself.
    """
    if getattr(model, "n_parameters", 0) >= DESCRIBE_FROM_PARAMETERS:
        return None
    if asked.param.mode in GRAPH_MODES or asked.param.system_prompt:
        return None
    to = _language_of(found.passages)
    if to not in LANGUAGES or to == asked.language:
        return None
    started = time.perf_counter()
    asked.on_step(Progress("translating"))
    told = translate_question(found.question, found.meant, to, model, asked.cancel)
    ms = round((time.perf_counter() - started) * 1000, 2)
    if not told:
        return None
    again = finder.find(told, asked.param)
    stage = Stage("asked in the language of the sources", (told,), (), ms)
    merged = replace(
        again,
        asked=asked.question,
        passages=_take_turns(again.passages, found.passages, asked.param.chunk_top_k),
        entities=found.entities or again.entities,
        relations=found.relations or again.relations,
        stages=(*found.stages, stage, *again.stages),
        meant=found.meant,
        weak=again.weak,
    )
    put = replace(asked, question=told, language=to)
    return QuestionTranslation(
        put, merged, asked.language, tuple((name, said) for said, name in found.meant)
    )


def translate_question(
    question: str, meant: Sequence[tuple[str, str]], to: str, model: ChatModel, cancel: CancelToken
) -> str:
    """Return the question in another language, its names as the library has them; "" if unsure.

    Args:
        meant: (name in the question, name in the library).
    """
    named = question
    for said, name in sorted(meant, key=lambda pair: -len(pair[0])):
        named = named.replace(said, name)
    examples = _examples(load_prompt("bridge_question", to))
    told = _write((*examples, ChatMessage("user", named)), QUESTION_TOKENS, model, cancel)
    told = next((line.strip() for line in told.splitlines() if line.strip()), "").strip("“”\"'")
    return told if _is_faithful(told, named, [name for _, name in meant], to) else ""


def _is_faithful(told: str, named: str, names: Sequence[str], to: str) -> bool:
    """Say whether a translation is a question in that language that keeps every name."""
    if not told or _script_of(told, names) != to or _LOOP.search(told):
        return False
    if _ASKING["zh"].search(named) and not _ASKING[to].search(told):
        return False
    if _ASKS[_other(to)].search(named) and not _ASKS[to].search(told):
        return False  # "How is he poisoned?" is not "Is he poisoned?"
    if to == "zh" and any(word not in told for word in _NAME.findall(named[1:])):
        return False  # a name that the library does not know was made something else
    longest = 6 * len(named) + 40 if to == "en" else len(named) + 10
    return len(told) <= longest and all(name.casefold() in told.casefold() for name in names)


def _other(language: str) -> str:
    return "en" if language == "zh" else "zh"


def _script_of(text: str, names: Sequence[str]) -> str:
    """Return "zh" or "en" for a short text, its names left out of account."""
    for name in names:
        text = text.replace(name, "")
    return "zh" if _CHINESE.search(text) else "en"


def translate_query(
    answer: Answer,
    bridge: QuestionTranslation,
    find_names: FindNames,
    model: ChatModel,
    cancel: CancelToken,
) -> Generator[str, None, Answer]:
    """Yield a checked answer in the person's language; return it with what it was put from.

    Citations stay as they are: each sentence keeps its marks.

    Args:
        find_names: the library's names in a text; they are put over before the model sees it.
    """
    bridge.asked.on_step(Progress("translating"))
    said: list[str] = []
    first_token_s = answer.first_token_s
    for sentence in translate_answer(answer.text, bridge, find_names, model, cancel):
        if not said:
            first_token_s = round(bridge.asked.spent_s, 2)
        piece = f"{' ' if said else ''}{sentence}"
        said.append(piece)
        yield piece
    original = ACROSS[bridge.language].format(" ".join(answer.text.split()))
    yield f"\n\n{original}"
    text = f"{''.join(said)}\n\n{original}".strip()
    stopped = answer.stopped or cancel.cancelled
    return replace(answer, text=text, first_token_s=first_token_s, stopped=stopped)


def translate_answer(
    text: str,
    bridge: QuestionTranslation,
    find_names: FindNames,
    model: ChatModel,
    cancel: CancelToken,
) -> Iterator[str]:
    """Yield a checked answer's sentences in the person's language, each with its marks."""
    examples = _examples(load_prompt("bridge_answer", bridge.language))
    names = _names_for(bridge, find_names(text))
    for bare, marks in _with_marks(text, bridge.asked.language):
        for name, said in names:
            bare = bare.replace(name, said)
        told = _write((*examples, ChatMessage("user", bare)), SENTENCE_TOKENS, model, cancel)
        told = " ".join(told.split())
        if cancel.cancelled:
            return
        if told:
            stop = told[-1] if told[-1] in ".!?。！？" else ""
            yield f"{told[: len(told) - len(stop)]}{marks}{stop}"


def _with_marks(text: str, language: str) -> list[tuple[str, str]]:
    """Return the sentences of an answer without their marks, and those: " [1] [2]"."""
    found: list[tuple[str, str]] = []
    for start, end in split_sentences(text, language):
        sentence = text[start:end]
        marks = "".join(f" {m.strip()}" for m in _MARKS.findall(sentence))
        bare = _MARKS.sub("", sentence).strip()
        if re.search(r"\w", bare):
            found.append((bare, marks))
        elif found:  # a mark behind the full stop belongs to what is before it
            found[-1] = (found[-1][0], found[-1][1] + marks)
    return found


def _names_for(bridge: QuestionTranslation, known: Sequence[str]) -> list[tuple[str, str]]:
    """Return (name in the sources, as the person reads it), the longest first."""
    names = dict(bridge.names)
    if bridge.language == "en":
        for name in known:
            names.setdefault(name, romanize_name(name))
    pairs = [
        (name, f" {said} " if bridge.language == "en" else said) for name, said in names.items()
    ]
    return sorted(((n, s) for n, s in pairs if s.strip()), key=lambda pair: -len(pair[0]))


def _examples(prompt: str) -> tuple[ChatMessage, ...]:
    """Return the turns of a prompt file: the instruction, then examples as "? " and "= " lines."""
    head, _, rest = prompt.partition("\n\n")
    turns = [ChatMessage("system", head)]
    for line in rest.splitlines():
        if line.startswith("? "):
            turns.append(ChatMessage("user", line[2:]))
        elif line.startswith("= "):
            turns.append(ChatMessage("assistant", line[2:]))
    return tuple(turns)


def _write(
    messages: Sequence[ChatMessage], n_tokens: int, model: ChatModel, cancel: CancelToken
) -> str:
    return "".join(model.stream(messages, max_tokens=n_tokens, cancel=cancel)).strip()


def _take_turns(
    first: Sequence[Passage], second: Sequence[Passage], most: int
) -> tuple[Passage, ...]:
    """Return passages of two rankings by turns, each chunk once."""
    by_chunk: dict[int, Passage] = {}
    for passage in interleave(first, second):
        by_chunk.setdefault(passage.chunk_id, passage)
    return tuple(by_chunk.values())[:most]


def _language_of(passages: Sequence[Passage]) -> str:
    """Return the language of the best passages, "" where they are in several."""
    found = [detect_language(p.text) for p in passages[:N_SOURCES]]
    return found[0] if found and found.count(found[0]) >= MOSTLY * len(found) else ""
