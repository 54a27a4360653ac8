"""Answers a question about documents in another language, for small chat models.

Such a model, asked in English about Chinese passages, mostly answers that they do not contain
the answer; asked in Chinese it answers. So the question is translated to the language of the
sources, with the names that the sources use, and the answer is translated back sentence by
sentence. Owns when this is done, both translations and their checks.
"""

from __future__ import annotations

import re
import time
from collections.abc import Generator, Iterator, Sequence
from dataclasses import replace

from ..extraction.llm.tasks import DESCRIBE_FROM_PARAMETERS
from ..graph.transliteration import romanize_name
from ..llm.protocols import ChatModel
from ..model import Answer, ChatMessage, Passage, Stage
from ..progress import CancelToken, Progress
from ..prompt_files import load_prompt
from ..query import GRAPH_MODES
from ..retrieval.retriever import Retriever
from ..retrieval.strategies.graph_routes import interleave
from ..text.chunking import split_sentences
from ..writing_systems import language_of
from .citations import ACROSS, add_marks
from .claims import SPOKEN
from .context import QuestionTranslation, Retrieved
from .query_rewriting import FindNames

QUESTION_TOKENS, SENTENCE_TOKENS = 60, 120
LANGUAGES = ("en", "zh")
_ASKING = {"en": re.compile(r"\?\s*$"), "zh": re.compile(r"[？?]\s*$")}
_MARKS = re.compile(r"(?:\s*[\[【]\s*\d{1,3}(?:\s*[,，]\s*\d{1,3})*\s*[\]】])+")
_LOOP = re.compile(r"(.{3,})\1\1", re.DOTALL)
_NAME = re.compile(r"(?<![A-Za-z])[A-Z][a-z]+")
_ASKS = {
    "en": re.compile(r"\b(?:who|whom|whose|what|which|when|where|why|how)\b", re.IGNORECASE),
    "zh": re.compile("谁|什么|怎|如何|何|哪|几|多[少大久长远高]|啥|干嘛"),
}

# "Who" can be "which hero" in the other language, but not "what"; a place, a time or a reason can
# be asked for in many ways.
_PERSON = {
    "en": re.compile(  # not "the man who"
        r"(?:^|[,;:]|\band )\W*(?:(?:to|by|with|for|of|from|about) )?(?:who|whom|whose)\b"
        r"|\bwhom?\W*$",
        re.IGNORECASE,
    ),
    "zh": re.compile("谁|何人|什么人|哪位|哪个人"),
}
_WHICH = {"en": re.compile(r"\bwhich\b", re.IGNORECASE), "zh": re.compile("哪")}
# A small model may exchange who does something and to whom it is done: "Who gave X a staff?"
# becomes 给谁, and 被什么杀死 becomes "Who was killed by …?".
_AUXILIARIES = "is|was|are|were|do|does|did|has|have|had|will|would|can|could|should|else"
_DOER = {
    "en": re.compile(
        rf"^\W*(?:who|what) (?!(?:{_AUXILIARIES})\b)[a-z]+|\bby (?:whom|what)\b", re.IGNORECASE
    ),
    "zh": re.compile(r"^\W*(?:谁|什么人|何人)(?!被|是)|被(?:谁|什么|何人|哪)"),
}
_DONE_TO = {
    "en": re.compile(
        r"(?<!\bby )\bwhom\b|^\W*who (?:do|does|did)\b"
        r"|^\W*(?:who|what) (?:is|was|are|were|got) \w+ by\b",
        re.IGNORECASE,
    ),
    "zh": re.compile(r"(?<![是被由])(?:谁|什么人|何人)\W*$|谁被"),
}


def _asks_for_the_same(asked: str, translated: str, to: str) -> bool:
    """Return whether both questions ask for a person, or neither, and for the same side of a deed.

    Args:
        to: the language of `translated`, "en" or "zh"; `asked` is in the other one.
    """
    of = "en" if to == "zh" else "zh"
    asks = bool(_PERSON[of].search(asked)), bool(_PERSON[to].search(translated))
    says_which = _WHICH[of].search(asked) or _WHICH[to].search(translated)
    if asks[0] != asks[1] and not says_which:
        return False
    is_turned_round = _DOER[of].search(asked) and _DONE_TO[to].search(translated)
    is_turned_back = _DONE_TO[of].search(asked) and _DOER[to].search(translated)
    return not (is_turned_round or is_turned_back)


def translate_result(
    retrieved: Retrieved, to: str, retriever: Retriever, model: ChatModel
) -> Retrieved:
    """Return the result of the translated question merged with that of the original one.

    Returns `retrieved` unchanged where no translation is reliable. A larger model answers across
    languages without translation.

    Args:
        to: the language of the sources; another one than that of the question.
    """
    asked, found = retrieved.asked, retrieved.found
    if model.n_parameters >= DESCRIBE_FROM_PARAMETERS or to not in LANGUAGES:
        return retrieved
    if asked.param.mode in GRAPH_MODES or asked.param.system_prompt:
        return retrieved
    started = time.perf_counter()
    asked.on_step(Progress("translating"))
    translated = translate_question(found.question, found.meant, to, model, asked.cancel)
    ms = round((time.perf_counter() - started) * 1000, 2)
    if not translated:
        return retrieved
    second = retriever.find(translated, asked.param)
    stage = Stage("asked in the language of the sources", (translated,), (), ms)
    by_chunk: dict[int, Passage] = {}
    for passage in interleave(second.passages, found.passages):
        by_chunk.setdefault(passage.chunk_id, passage)
    merged = replace(
        second,
        asked=asked.question,
        passages=tuple(by_chunk.values())[: asked.param.chunk_top_k],
        entities=found.entities or second.entities,
        relations=found.relations or second.relations,
        stages=(*found.stages, stage, *second.stages),
        meant=found.meant,
    )
    in_sources = replace(asked, question=translated, language=to)
    names = tuple((name, asked_name) for asked_name, name in found.meant)
    translation = QuestionTranslation(in_sources, asked.language, names)
    return Retrieved(in_sources, merged, translation=translation)


def translate_question(
    question: str, meant: Sequence[tuple[str, str]], to: str, model: ChatModel, cancel: CancelToken
) -> str:
    """Return the question in another language with the names of the library, "" if unreliable.

    Args:
        meant: (name in the question, name in the library).
    """
    named = question
    for asked_name, name in sorted(meant, key=lambda pair: -len(pair[0])):
        named = named.replace(asked_name, name)
    examples = _examples(load_prompt("bridge_question", to))
    translated = _write((*examples, ChatMessage("user", named)), QUESTION_TOKENS, model, cancel)
    translated = next((line.strip() for line in translated.splitlines() if line.strip()), "").strip(
        "“”\"'"
    )
    return translated if _is_faithful(translated, named, [name for _, name in meant], to) else ""


def _is_faithful(translated: str, named: str, names: Sequence[str], to: str) -> bool:
    """Return whether a translation is a question in that language that keeps every name."""
    bare = translated
    for name in names:
        bare = bare.replace(name, "")
    if not translated or language_of(bare) != to or _LOOP.search(translated):
        return False
    if _ASKING["zh"].search(named) and not _ASKING[to].search(translated):
        return False
    if _ASKS["en" if to == "zh" else "zh"].search(named) and not _ASKS[to].search(translated):
        return False  # "How is he poisoned?" is not "Is he poisoned?"
    if not _asks_for_the_same(named, translated, to):
        return False
    if to == "zh" and any(word not in translated for word in _NAME.findall(named[1:])):
        return False  # a name that the library does not know was translated
    longest = 6 * len(named) + 40 if to == "en" else len(named) + 10
    return len(translated) <= longest and all(
        name.casefold() in translated.casefold() for name in names
    )


def translate_back(
    answer: Answer,
    translation: QuestionTranslation,
    find_names: FindNames,
    model: ChatModel,
    cancel: CancelToken,
) -> Generator[str, None, Answer]:
    """Yield a verified answer in the language of the question; return it with the original.

    Each sentence keeps its citation marks.

    Args:
        find_names: finds the library's names in a text; they are replaced by the asked ones.
    """
    translation.asked.on_step(Progress("translating"))
    pieces: list[str] = []
    first_token_s = answer.first_token_s
    for sentence in translate_answer(answer.text, translation, find_names, model, cancel):
        if not pieces:
            first_token_s = round(translation.asked.spent_s, 2)
        piece = f"{' ' if pieces else ''}{sentence}"
        pieces.append(piece)
        yield piece
    original = ACROSS[translation.language].format(" ".join(answer.text.split()))
    yield f"\n\n{original}"
    text = f"{''.join(pieces)}\n\n{original}".strip()
    stopped = answer.stopped or cancel.cancelled
    return replace(answer, text=text, first_token_s=first_token_s, stopped=stopped)


def translate_answer(
    text: str,
    translation: QuestionTranslation,
    find_names: FindNames,
    model: ChatModel,
    cancel: CancelToken,
) -> Iterator[str]:
    """Yield the sentences of a verified answer in the language of the question, with marks."""
    examples = _examples(load_prompt("bridge_answer", translation.language))
    names = dict(translation.names)  # name in the sources -> name in the answer
    if translation.language == "en":
        for name in find_names(text):
            names.setdefault(name, romanize_name(name))
        names = {name: f" {shown} " for name, shown in names.items()}
    sentences: list[tuple[str, str]] = []  # without marks, its marks such as " [1] [2]"
    for sentence in _split_answer(text, translation.asked.language):
        if sentence in _NOTES:
            sentences.append((sentence, ""))
            continue
        marks = "".join(f" {m.strip()}" for m in _MARKS.findall(sentence))
        bare = _MARKS.sub("", sentence).strip()
        if re.search(r"\w", bare):
            sentences.append((bare, marks))
        elif sentences:  # a mark after the full stop belongs to the sentence before
            sentences[-1] = (sentences[-1][0], sentences[-1][1] + marks)
    for bare, marks in sentences:
        if bare in _NOTES:  # in the language of the question already
            yield bare
            continue
        for name in sorted(names, key=lambda name: -len(name)):
            if names[name].strip():
                bare = bare.replace(name, names[name])
        translated = _write((*examples, ChatMessage("user", bare)), SENTENCE_TOKENS, model, cancel)
        translated = " ".join(translated.split())
        if cancel.cancelled:
            return
        if translated:
            yield add_marks(translated, marks)


_NOTES = frozenset(note.strip() for note in SPOKEN.values())
_AROUND_NOTES = re.compile(rf"({'|'.join(map(re.escape, sorted(_NOTES)))})")


def _split_answer(text: str, language: str) -> Iterator[str]:
    """Yield the sentences of an answer; a note about one stays whole."""
    for part in _AROUND_NOTES.split(text):
        if part in _NOTES:
            yield part
        else:
            yield from (part[start:end] for start, end in split_sentences(part, language))


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
