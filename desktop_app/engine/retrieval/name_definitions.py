"""Who or what a name is: which questions ask it, and the sentences of documents that define it.

A question for a name is read by its form (“Who is Ben Gunn?”, 柳三娘是谁？). Whether a sentence
defines a name is known to `graph.definitions`; here the mentions are read, and direct speech, which
need not be true, is separated from what the text says itself.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from functools import partial

from ..graph.definitions import (
    ONLY_NAMED,
    build_split_name,
    choose_definitions,
    continues_definition,
)
from ..model import ChunkId, DocumentId, EntityRow, MentionRow, Passage
from ..store import graph
from ..store.db import Db
from ..text.chunking import split_sentences
from ..text.direct_speech import find_speech
from ..text.shown_text import Span
from ..word_lists import WordLists
from ..writing_systems import HAN, has_han, language_of

# The best ones by the weights of the extraction. Of the 60 most mentioned names of five novels and
# a manual, 40 have a definition among all their mentions, and 39 of them among these.
MAX_READ_MENTIONS = 400
# Passages that are searched for a name in two parts (姓沈，名衡): people are introduced early.
MAX_READ_CHUNKS = 500
# The route of a passage that defines the name of a question; its score is that of a sentence that
# states who or what it is, or less.
DEFINITION, STATED, LIKELY = "definition", 1.0, 0.5

_NAME = r"(?P<name>[^\W_][\w'’.-]*(?:\s+[\w'’.-]+){0,4}?)"
_ARTICLE, _IS = r"(?:(?:the|an?)\s+)?", r"(?:is|are|was|were)"
_NAME_ZH = r"(?P<name>[^\s，。？?！“”的谁誰哪][^，。？?！“”的谁誰哪]{0,30}?)"
_WHAT_ZH = (
    r"(?:谁|誰|何人|何物|何地|何许人也?|(?:一个)?什么(?:样的)?(?:人物?|东西|地方|意思|概念)?"
    r"|(?:一个)?(?:怎样|怎么样)的(?:一个)?(?:人物?|东西|地方)|做什么的|干什么的|哪里)"
)
_FORMS = tuple(
    re.compile(rf"\s*(?:{form})[\s?？.!。！]*", re.IGNORECASE)
    for form in (
        rf"(?:who\s+or\s+)?(?:who|what)(?:\s+exactly)?(?:\s+{_IS}|['’]s)\s+{_ARTICLE}{_NAME}",
        rf"(?:please\s+)?(?:tell\s+me|explain)\s+(?:who|what)\s+{_ARTICLE}{_NAME}\s+{_IS}",
        rf"what\s+(?:kind|sort)\s+of\s+(?:an?\s+)?\w+\s+{_IS}\s+{_ARTICLE}{_NAME}",
        rf"(?:请问)?{_NAME_ZH}(?:究竟|到底)?是{_WHAT_ZH}",
        rf"(?:请问)?(?:究竟|到底)?(?:谁|誰|什么)(?:是|叫){_NAME_ZH}",
    )
)
_LISTS = WordLists("latin")


def _fold(name: str) -> frozenset[str]:
    return frozenset(word.rstrip(".").casefold() for word in _LISTS.words(name))


# that say nothing of who somebody is, as a rank or a word for a relative does
_PLAIN_TITLES = frozenset("the a an mr mrs ms miss mme madame mlle monsieur m sir".split())
_TITLES = _PLAIN_TITLES.union(*map(_fold, ("female_titles", "male_titles", "neutral_titles")))
_WORD = re.compile(rf"[{HAN}]|[^\W_{HAN}][\w'’]*")
# What says only that two names are of the same one: "also known as", 又名, 本名.
_SAME = frozenset(
    "is was are were also known called named as or and whose name real true his her".split()
).union("是就即也又名叫做作本原为為乃便的他她它称稱字号號")


def find_asked_name(question: str) -> Span | None:
    """Return where a question has the words of which it asks who or what they are.

    None where it does not ask this in so many words: “What is the name of the captain of his ship?”
    asks for a name. Whether the words are a name is not known here.
    """
    found = (form.fullmatch(question) for form in _FORMS)
    return next((one.span("name") for one in found if one is not None), None)


def find_only_name(question: str, names: Iterable[Span]) -> Span | None:
    """Return the one of these names that is all that a question asks about, None if none is.

    Titles before it may be no part of it: "Who is Captain Smollett?" asks about Smollett.
    """
    asked = find_asked_name(question)
    if asked is None:
        return None
    inside = [span for span in names if asked[0] <= span[0] and span[1] <= asked[1]]
    if len(inside) != 1:
        return None
    [(start, end)] = inside
    around = f"{question[asked[0] : start]} {question[end : asked[1]]}".casefold().split()
    return (start, end) if all(word.rstrip(".") in _TITLES for word in around) else None


def has_only_names(text: str, names: Iterable[Span], question: str) -> bool:
    """Return whether a text has nothing but names, and words that say they are of the same one.

    A Latin word with a capital counts as a name. A rank that the question lacks (Captain, Queen,
    Uncle) says who a person is; Mr and Mrs do not.
    """
    rest = text
    for start, end in names:
        rest = f"{rest[:start]}{' ' * (end - start)}{rest[end:]}"
    asked = {word.casefold() for word in _WORD.findall(question)}
    for word in _WORD.findall(rest):
        folded = word.casefold()
        if folded in asked or folded in _SAME or folded in _PLAIN_TITLES:
            continue
        if folded in _TITLES or not word[0].isupper():
            return False
    return any(map(str.isalnum, text))


def fetch_definitions(db: Db, entity: EntityRow, limit: int = 2) -> list[MentionRow]:
    """Return the mentions whose sentences define an entity, in reading order."""
    return choose_definitions(
        graph.fetch_best_mentions(db, entity.id, MAX_READ_MENTIONS),
        is_person=entity.type == "person",
        limit=limit,
        is_spoken=lambda mention: _is_spoken(db, mention),
    )


def find_defining(
    db: Db, entity: EntityRow, name: str, chunk_ids: Collection[int]
) -> tuple[list[MentionRow], bool]:
    """Return the sentences that answer who or what an entity is, and whether they state it.

    Where the text never says it itself, this is the best sentence in which a person of it does: it
    may lead to the answer.

    Args:
        name: of the entity in the question.
        chunk_ids: those in scope that mention it, in reading order.
    """
    inside = frozenset(chunk_ids)
    mentions = [
        one
        for one in graph.fetch_best_mentions(db, entity.id, MAX_READ_MENTIONS)
        if one.chunk_id in inside
    ]
    if pattern := build_split_name(name):
        texts = graph.fetch_chunk_texts(db, list(chunk_ids)[:MAX_READ_CHUNKS])
        mentions += _find_mentions(texts, pattern)
    choose = partial(
        choose_definitions, mentions, is_person=entity.type == "person", least=ONLY_NAMED
    )
    stated = choose(only_best=True, is_spoken=lambda mention: _is_spoken(db, mention))
    return (stated, True) if stated else (choose(limit=1), False)


def find_in_passages(
    db: Db, passages: Sequence[Passage], name: str, question: str
) -> list[MentionRow]:
    """Return the sentence of these passages that defines words which are no name of the library."""
    edge = "" if has_han(name) else r"\b"
    pattern = re.compile(f"{edge}{re.escape(name)}{edge}", re.IGNORECASE)
    texts = ((one.document_id, one.chunk_id, one.start, one.text, one.title) for one in passages)
    is_person = re.search(r"\bwho\b|谁|誰|人", question, re.IGNORECASE) is not None
    return choose_definitions(
        _find_mentions(texts, pattern),
        is_person=is_person,
        limit=1,
        least=ONLY_NAMED,
        is_spoken=lambda mention: _is_spoken(db, mention),
    )


def _find_mentions(
    texts: Iterable[tuple[int, int, int, str, str]], pattern: re.Pattern[str]
) -> list[MentionRow]:
    """Return the places of words in texts as mentions, the first in each sentence.

    Args:
        texts: see `graph.fetch_chunk_texts`.
    """
    found = []
    for document_id, chunk_id, begin, text, title in texts:
        if not pattern.search(text):
            continue
        for start, end in split_sentences(text, language_of(text)):
            if match := pattern.search(text, start, end):
                found.append(
                    MentionRow(
                        DocumentId(document_id),
                        title,
                        ChunkId(chunk_id),
                        match[0],
                        begin + match.start(),
                        begin + match.end(),
                        text[start:end],
                        begin + start,
                    )
                )
    return found


def _is_spoken(db: Db, mention: MentionRow) -> bool:
    """Return whether a mention is in direct speech, by the passage around it."""
    text, start = graph.fetch_chunk_text(db, mention.chunk_id)
    place = mention.start - start
    return any(begin <= place < end for begin, end in find_speech(text))


def find_span(mention: MentionRow, text: str, start: int) -> Span:
    """Return the sentence of a definition with the next one, if that goes on about the same.

    Args:
        text: of the passage, which begins at `start` in the document.
    """
    first, last = mention.sentence_start, mention.sentence_start + len(mention.sentence)
    for begin, end in split_sentences(text, language_of(text)):
        if start + begin >= last:
            return (first, start + end) if continues_definition(text[begin:end]) else (first, last)
    return first, last
