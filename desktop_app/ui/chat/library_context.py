"""What a chat knows of its library: documents, models, and suggested questions.

Suggestions are built from names and topics without a model. Their language is that of the names,
not of the window, since an answer has the language of its question.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject, QTimer, Signal

from desktop_app.engine.changes import ChangeSet
from desktop_app.engine.model import DocumentRow, EntityRow
from desktop_app.engine.scripts import has_han
from desktop_app.engine.services.library_reader import NamedPart
from desktop_app.workers.operations import Query

from ..context import SessionContext
from ..language import tr
from ..widgets import format_number
from .options_row import OptionsRow

SETTLE_MS = 1000
NAMES = 40


def describe_progress(documents: Sequence[DocumentRow]) -> str:
    """Return how much of the library is indexed, "" if all of it is."""
    coming = any(d.state in ("reading", "indexing", "waiting") for d in documents)
    n_all = sum(d.n_chunks for d in documents)
    if not coming or not n_all:
        return ""
    n_done = sum(d.n_chunks_done for d in documents)
    done, whole = format_number(n_done), format_number(n_all)
    return tr("{n} of {m} parts are in; ask away.", n=done, m=whole)


class LibraryContext(QObject):
    """Emits the `documents` and the most mentioned `names`, at most once a second."""

    documents = Signal(object)
    names = Signal(object)
    collections = Signal(object)  # (id, name) of each
    models = Signal(object)
    circles = Signal(object)  # names of one topic each, the heaviest topics first

    def __init__(self, context: SessionContext, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._settle = QTimer(self, singleShot=True, interval=SETTLE_MS)
        self._settle.timeout.connect(self.read)
        context.hub.changed.connect(self._hub_changed)

    def serve(self, choices: OptionsRow) -> None:
        """Keep the lists of these options up to date and apply the chosen model."""
        choices.scope.opened.connect(self.read)
        choices.model.opened.connect(self.read_models)
        choices.model.wanted.connect(self.use_model)
        self.collections.connect(choices.scope.panel.set_collections)
        self.models.connect(choices.model.set_models)

    def read(self) -> None:
        """Load documents and names now."""
        library_reader, lane = self._context.library_reader, self._context.reader_lane
        query = Query(lane, library_reader.list_documents, owner=self)
        query.on_success(self.documents.emit).run()
        Query(lane, library_reader.top_entities, NAMES, owner=self).on_success(
            self.names.emit
        ).run()
        Query(lane, self._context.chats.list_circles, owner=self).on_success(
            self.circles.emit
        ).run()
        self._read_collections()

    def _read_collections(self) -> None:
        def show(rows: Sequence) -> None:
            self.collections.emit([(int(row.id), row.name) for row in rows])

        read = self._context.library_reader.list_collections
        query = Query(self._context.reader_lane, read, owner=self)
        query.on_success(show).run()

    def read_models(self) -> None:
        """Load the list of installed models."""
        registry = self._context.model_registry
        query = Query(self._context.reader_lane, registry.list_models, owner=self)
        query.on_success(self.models.emit).run()

    def use_model(self, name: str) -> None:
        """Use another chat model; it is loaded with the next question."""

        def done(_: object) -> None:
            self.read_models()
            words = tr("From the next question on, this model writes.")
            self._context.messages.show(words, kind="ok")

        query = Query(self._context.reader_lane, self._context.model_registry.use, name, owner=self)
        query.on_success(done).run()

    def _hub_changed(self, change: ChangeSet) -> None:
        # indexing reports changes all the time
        if (change.everything or change.documents) and not self._settle.isActive():
            self._settle.start()


_THINGS = ("organisation", "event", "object", "concept")
# In English and in Chinese, independent of the window's language.
_WORDING = {
    "person": ("Who is {0}?", "{0}是谁？"),  # not shown
    "tie": ("How are {0} and {1} connected?", "{0}和{1}是什么关系？"),  # not shown
    "place": ("What happens in {0}?", "{0}发生了什么事？"),  # not shown
    "theme": (
        "What happens between {0}, {1} and {2}?",  # not shown
        "{0}、{1}和{2}一起经历了什么？",
    ),
    "thing": ("What is said about {0}?", "{0}是什么？"),  # not shown
    "deeds": ("What does {0} do?", "{0}做了什么？"),  # not shown
    "later": ("What becomes of {0}?", "{0}后来怎样了？"),  # not shown
    "who": ("Who has to do with {0}?", "谁和{0}有关？"),  # not shown
}
# kinds of suggestions in order: a person, two related people, a place, a topic
_ORDER = ("person", "tie", "place", "theme", "thing")


def is_chinese(name: str) -> bool:
    """Return whether a name is written in Chinese characters."""
    return has_han(name)


def suggest_questions(
    entities: Sequence[EntityRow], limit: int = 4, circles: Sequence[Sequence[str]] = ()
) -> list[str]:
    """Return up to `limit` questions about people, places and topics of the library.

    With names in both languages the languages alternate, and a question uses names of its own
    language only.

    Args:
        entities: the most mentioned names, in order.
        circles: names of one topic each, the heaviest topic first.
    """
    by_language: dict[bool, list[EntityRow]] = {False: [], True: []}
    for row in entities:
        by_language[is_chinese(row.name)].append(row)
    # the language with more mentions comes first
    languages = sorted(by_language, key=lambda c: -sum(r.n_mentions for r in by_language[c][:5]))
    pools = [
        _questions(by_language[chinese], circles, chinese)
        for chinese in languages
        if by_language[chinese]
    ]
    questions: list[str] = []
    for kind in (*_ORDER, *_ORDER, "deeds", "deeds"):
        if len(questions) < limit and (found := _take(pools, kind, len(questions))):
            questions.append(found)
    return questions


def suggest_followups(question: str, named: Sequence[NamedPart], limit: int = 3) -> list[str]:
    """Return follow-up questions about names of the answer that are not in the question.

    They have the language of the question and use only names written in it.
    """
    chinese = is_chinese(question)
    fitting = [part for part in named if is_chinese(part.name) == chinese]
    asked = [p for p in fitting if p.words in question or p.name in question]
    asked_ids = {p.entity_id for p in asked}
    fresh = list({p.entity_id: p for p in fitting if p.entity_id not in asked_ids}.values())
    people = [p.name for p in fresh if p.type == "person"]
    questions: list[str] = []
    if asked and people:
        questions.append(_word("tie", chinese, asked[0].name, people[0]))
    elif len(people) > 1:
        questions.append(_word("tie", chinese, *people[:2]))
    for part in fresh:
        kind = part.type if part.type in ("person", "place") else "thing"
        questions.append(_word(kind, chinese, part.name))
    distinct = list({p.entity_id: p for p in asked}.values())
    if len(distinct) > 1:
        questions.append(_word("tie", chinese, distinct[0].name, distinct[1].name))
    for part in distinct:
        questions.append(_word("later" if part.type == "person" else "who", chinese, part.name))
    same = question.strip().casefold()
    return [s for s in dict.fromkeys(questions) if s.casefold() != same][:limit]


def _word(kind: str, chinese: bool, *names: str) -> str:
    return _WORDING[kind][chinese].format(*names)


def _take(pools: Sequence[dict[str, list[str]]], kind: str, turn: int) -> str:
    """Take the next question of a kind, from the language whose turn it is if it has one."""
    for step in range(len(pools)):
        waiting = pools[(turn + step) % len(pools)].get(kind)
        if waiting:
            return waiting.pop(0)
    return ""


def _circle(circles: Sequence[Sequence[str]], chinese: bool) -> Sequence[str]:
    for names in circles:
        if len(names) > 2 and {is_chinese(name) for name in names[:3]} == {chinese}:
            return names[:3]
    return ()


def _pair(people: Sequence[str], circles: Sequence[Sequence[str]]) -> Sequence[str]:
    """Return the two best known people of one topic, otherwise of the library."""
    for names in circles:
        together = [name for name in people if name in names]
        if len(together) > 1:
            return together[:2]
    return () if circles else people[:2]


def _questions(
    rows: Sequence[EntityRow], circles: Sequence[Sequence[str]], chinese: bool
) -> dict[str, list[str]]:
    people = [r.name for r in rows if r.type == "person"]
    pair, circle = _pair(people, circles), _circle(circles, chinese)
    things = [r.name for r in rows if r.type in _THINGS]
    places = [r.name for r in rows if r.type == "place"]
    questions = {
        "person": [_word("person", chinese, name) for name in people[:1]],
        "tie": [_word("tie", chinese, *pair)] if len(pair) > 1 else [],
        "place": [_word("place", chinese, name) for name in places[:1]],
        "theme": [_word("theme", chinese, *circle)] if circle else [],
        "thing": [_word("thing", chinese, name) for name in things[:1]],
        "deeds": [_word("deeds", chinese, name) for name in people[1:3]],
    }
    if not any(questions.values()):
        questions["thing"] = [_word("thing", chinese, row.name) for row in rows[:2]]
    return questions
