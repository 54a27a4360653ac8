"""The page of a chat without questions, and suggested questions about the library.

Suggestions are built from names and topics without a model, from several documents in turn: half
of them from the documents in use (open or selected), if there are any. Only names whose type the
text shows are asked about (`engine/services/suggested_subjects.py`). The language is that of the
document, since an answer has the language of its question; of documents not in use, those in the
language of the window come first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from math import sqrt

from PySide6.QtCore import QLocale, QRect, QSize, Qt, Signal
from PySide6.QtGui import QIcon, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QGridLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QStyle,
    QStyleOptionButton,
    QStylePainter,
    QWidget,
)

from desktop_app.engine.model import DocumentRow, EntityRow
from desktop_app.engine.services.library_reader import NamedPart, build_pattern
from desktop_app.engine.text.chunking import split_sentences
from desktop_app.engine.writing_systems import has_han, stems

from ..theme.theme import Theme
from ..translation import later, tr
from ..widgets import STRETCH, Button, Label, build_column, build_row, clear_layout

WIDTH, PADDING = 440, 12  # of a suggested question, and beside its icon and text
HALF_WIDTH, GAP = 356, 8  # two suggestions beside each other are as wide as the question box

ABOUT = later(
    "Answers are written from passages of your documents. Each sentence is checked against its"
    " source."
)
NOTHING = later(
    "Add documents to the library first. You can ask as soon as the first chapters are indexed."
)


class QuestionButton(Button):
    """A suggested question; a long one takes several lines instead of being cut off."""

    def __init__(
        self, theme: Theme, question: str, parent: QWidget, *, kind: str = "", width: int = WIDTH
    ) -> None:
        super().__init__(question, parent, kind=kind, theme=theme, icon="arrow-right")
        self._room = theme.breadth(width)
        self._least = 0
        self.setAccessibleName(question)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        policy = QSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        # a least height of the style sheet would win over a size hint of several lines
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def _text_left(self) -> int:
        return 2 * PADDING + self.iconSize().width() - 4

    def sizeHint(self) -> QSize:
        return QSize(self._room, self.heightForWidth(self._room))

    def set_least_height(self, height: int) -> None:
        """Make it as high as another one, in pixels, if that has more lines."""
        if height != self._least:
            self._least = height
            self.updateGeometry()

    def find_text_height(self) -> int:
        """Return the height that its own text needs, in pixels."""
        least, self._least = self._least, 0
        height = self.heightForWidth(self._room)
        self._least = least
        return height

    def heightForWidth(self, width: int) -> int:
        self.ensurePolished()  # the style sheet sets the font
        area = QRect(0, 0, width - self._text_left() - PADDING, 10_000)
        flags = Qt.TextFlag.TextWordWrap.value
        lines = self.fontMetrics().boundingRect(area, flags, self.text())
        return max(self._least, super().sizeHint().height(), lines.height() + PADDING)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        option = QStyleOptionButton()
        self.initStyleOption(option)
        option.text, icon, option.icon = "", self.icon(), QIcon()
        painter = QStylePainter(self)
        painter.drawControl(QStyle.ControlElement.CE_PushButton, option)
        side, left = self.iconSize().width(), self._text_left()
        icon.paint(painter, PADDING, (self.height() - side) // 2, side, side)
        painter.setPen(self._theme.color("text"))
        area = self.rect().adjusted(left, 0, -PADDING, 0)
        middle = Qt.AlignmentFlag.AlignVCenter.value
        painter.drawText(area, middle | Qt.TextFlag.TextWordWrap.value, self.text())
        painter.end()


class EmptyChat(QWidget):
    """The page of a chat without questions; emits `picked` with a suggested question.

    `suggested` says that the suggestions, and with them the wanted height, are others.
    """

    picked = Signal(str)
    suggested = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._entities: list[EntityRow] = []
        self._by_document: list[Sequence[EntityRow]] = []  # empty until they are read
        self._pairs: Sequence[tuple[str, str]] = ()
        self._n_in_use = 0
        self._communities: list[Sequence[str]] = []
        self._icon = QLabel(self)
        self._icon.setAlignment(Qt.AlignmentFlag.AlignCenter)
        title = Label(tr("Ask your documents"), "title", self)
        title.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.about = Label("", "muted", self, wrap=True)
        self.about.setAlignment(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)
        self.about.setFixedWidth(theme.breadth(WIDTH))
        self._set_text(tr(ABOUT))
        self._buttons: list[QuestionButton] = []
        self._n_columns = 1
        self._questions = QGridLayout()
        self._questions.setSpacing(GAP)
        center = Qt.AlignmentFlag.AlignHCenter
        column = build_column(
            *(self._icon, 4, title, (self.about, 0, center), 16),
            *(build_row(STRETCH, self._questions, STRETCH),),
            parent=self,
            margins=(24, 24, 24, 8),
        )
        column.insertStretch(0, 1)  # the question box stands below
        theme.changed.connect(self._restyle)
        self._restyle()

    def _restyle(self) -> None:
        self._icon.setPixmap(self._theme.icon("chat").pixmap(QSize(40, 40)))

    def _set_text(self, words: str) -> None:
        self.about.setText(words)
        # Qt does not ask a centred label for its height at a width
        self.about.setMinimumHeight(self.about.heightForWidth(self.about.width()))

    def show_communities(self, communities: Sequence[Sequence[str]]) -> None:
        """Suggest questions about names of the same topic."""
        if list(communities) != self._communities:
            self._communities = list(communities)
            self.show_names(self._entities)

    def show_documents(
        self,
        by_document: Sequence[Sequence[EntityRow]],
        pairs: Sequence[tuple[str, str]] = (),
        *,
        n_in_use: int = 0,
    ) -> None:
        """Suggest questions about the most mentioned names of each of these documents.

        Args:
            pairs: people who have to do with each other, best pairs first.
            n_in_use: so many of them the user chose; their language is that of the questions.
        """
        new = (list(by_document), list(pairs), n_in_use)
        if new != (self._by_document, self._pairs, self._n_in_use):
            self._by_document, self._pairs, self._n_in_use = new
            self.show_names(self._entities)

    def show_names(self, entities: Sequence[EntityRow]) -> None:
        """Suggest questions about the library's most mentioned names."""
        self._entities = list(entities)
        clear_layout(self._questions)
        self._buttons = []
        self._set_text(tr(ABOUT) if entities else tr(NOTHING))
        is_chinese = QLocale().language() == QLocale.Language.Chinese
        for question in suggest_questions(
            self._by_document,
            self._communities,
            self._pairs,
            n_in_use=self._n_in_use,
            chinese=is_chinese,
            half_chinese=is_chinese,
        ):
            button = QuestionButton(self._theme, question, self, width=HALF_WIDTH)
            button.clicked.connect(lambda _=False, q=question: self.picked.emit(q))
            self._buttons.append(button)
        self._place_buttons()
        for button in self._buttons:  # a layout leaves out what Qt will show later
            button.show()
        self.suggested.emit()

    def _place_buttons(self) -> None:
        """Show the questions in two columns if there is room."""
        room = self.width() - 48
        self._n_columns = 2 if room >= 2 * self._theme.breadth(HALF_WIDTH) + GAP else 1
        highest = max((button.find_text_height() for button in self._buttons), default=0)
        for number, button in enumerate(self._buttons):
            button.set_least_height(highest)
            self._questions.addWidget(button, *divmod(number, self._n_columns))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        before = self._n_columns
        self._place_buttons()
        if before != self._n_columns:
            self.updateGeometry()

    def questions(self) -> list[QPushButton]:
        """Return the buttons of the suggested questions."""
        return list(self._buttons)


MOST_QUESTIONS, MOST_FOLLOWUPS = 4, 2
LONGEST_ABBREVIATION = 6  # letters; a longer name in capitals is a heading
_THINGS = ("organisation", "event", "object", "concept")
# In English and in Chinese, independent of the window's language.
_WORDING = {
    "person": ("Who is {0}?", "{0}是谁？"),  # not shown
    "relation": ("How are {0} and {1} connected?", "{0}和{1}是什么关系？"),  # not shown
    "place": ("What happens in {0}?", "{0}发生了什么事？"),  # not shown
    "theme": (
        "What happens between {0}, {1} and {2}?",  # not shown
        "{0}、{1}和{2}一起经历了什么？",
    ),
    "thing": ("What is said about {0}?", "{0}是什么？"),  # not shown
    "deeds": ("What does {0} do?", "{0}做了什么？"),  # not shown
}
# kinds of suggestions in order: a person, two related people, a place, a topic
_ORDER = ("person", "relation", "place", "theme", "thing")


def choose_suggested_documents(
    rows: Sequence[DocumentRow], *, chinese: bool, in_use: Sequence[int] = ()
) -> tuple[list[DocumentRow], list[DocumentRow]]:
    """Return the documents in use to suggest questions about, in their order, and others.

    The others are those with the most mentions, the language of the window first.
    """
    ready = [row for row in rows if row.n_mentions and not row.set_aside]
    chosen = [row for row in ready if row.id in in_use]
    chosen.sort(key=lambda row: in_use.index(row.id))
    others = [row for row in ready if not row.duplicate_of and row not in chosen]
    others.sort(key=lambda row: ((row.language == "zh") != chinese, -row.n_mentions))
    return chosen[:MOST_QUESTIONS], others[:MOST_QUESTIONS]


def suggest_questions(
    by_document: Sequence[Sequence[EntityRow]],
    communities: Sequence[Sequence[str]] = (),
    pairs: Sequence[tuple[str, str]] | None = None,
    *,
    n_in_use: int = 0,
    chinese: bool | None = None,
    half_chinese: bool = False,
) -> list[str]:
    """Return up to four questions about people, places and topics of some documents.

    The documents take turns; a question uses names of its own language only. Half of the questions
    are about the documents in use, or one about each of up to three.

    Args:
        by_document: the most mentioned names of each document, in order, those in use first.
        communities: names of one community each, the heaviest community first.
        pairs: people who have to do with each other, None where that is not known.
        chinese: whether questions in Chinese come first, None to begin with the language that has
            more mentions, as for documents in use.
        half_chinese: whether at least half of the questions are in Chinese, if any is.
    """
    used = [rows for rows in by_document[:n_in_use] if rows]
    others = [rows for rows in by_document[n_in_use:] if rows]
    first = _suggest(used, communities, pairs, None)
    rest = [q for q in _suggest(others, communities, pairs, chinese) if q not in first]
    if rest:
        share = max(MOST_QUESTIONS // 2, min(len(used), MOST_QUESTIONS - 1))
        first = first[: max(share, MOST_QUESTIONS - len(rest))]
    questions = [*first, *rest][:MOST_QUESTIONS]
    n_chinese = sum(map(has_han, questions))
    if half_chinese and n_chinese:
        foreign = [question for question in questions if not has_han(question)][:n_chinese]
        questions = [q for q in questions if has_han(q) or q in foreign]
    return questions


def _suggest(
    groups: Sequence[Sequence[EntityRow]],
    communities: Sequence[Sequence[str]],
    pairs: Sequence[tuple[str, str]] | None,
    chinese: bool | None,
) -> list[str]:
    """Return up to four questions about the names of some documents, which take turns."""
    pools: list[tuple[bool, dict[str, list[str]]]] = []
    for rows in groups:
        for is_chinese in _order_languages(rows, chinese):
            whole = [row for row in rows if len(row.name.strip(". ")) > 1]  # no "Who is J?"
            of_language = [row for row in whole if has_han(row.name) == is_chinese]
            spelled_out = [row for row in of_language if not _is_abbreviation(row.name)]
            of_language = spelled_out or of_language  # "What is said about DL?" is a poor question
            most = max((row.n_mentions for row in of_language), default=0)
            # A rare name is no subject of its document, and is more often a mistake. In a short
            # text every name is rare: the limit grows slower than the mentions.
            of_language = [r for r in of_language if r.n_mentions >= sqrt(most)]
            if of_language:
                asked = _questions(of_language, communities, pairs, is_chinese)
                pools.append((is_chinese, asked))
    if chinese is None or len(groups) == 1:
        return _take_in_turn([pool for _, pool in pools])
    first = [pool for is_chinese, pool in pools if is_chinese == chinese]
    rest = [pool for is_chinese, pool in pools if is_chinese != chinese]
    others = _take_in_turn(rest)
    own = _take_in_turn(first)[: MOST_QUESTIONS - bool(others)]  # one is in the other language
    return [*own, *others][:MOST_QUESTIONS]


def _is_abbreviation(name: str) -> bool:
    return name.isupper() and len(name.replace(".", "")) <= LONGEST_ABBREVIATION


def _topics_of(people: Sequence[str], communities: Sequence[Sequence[str]]) -> list[Sequence[str]]:
    """Return the topics whose first three names are these people, since things do not meet."""
    return [c for c in communities if len(c) > 2 and set(people).issuperset(c[:3])]


def _order_languages(rows: Sequence[EntityRow], chinese: bool | None) -> list[bool]:
    """Return the languages as "is Chinese": the wanted one, or the more mentioned one, first."""
    if chinese is not None:
        return [chinese, not chinese]
    n = {c: sum([r.n_mentions for r in rows if has_han(r.name) == c][:5]) for c in (False, True)}
    return sorted(n, key=lambda c: -n[c])


def _take_in_turn(pools: Sequence[dict[str, list[str]]]) -> list[str]:
    """Return questions of each pool in turn, so that one with few kinds has its share, too.

    Each gives the kind that was asked least; what a further person does comes last.
    """
    questions: list[str] = []
    asked = Counter[str]()
    while len(questions) < MOST_QUESTIONS and any(any(pool.values()) for pool in pools):
        for pool in pools:
            kinds = [kind for kind in _ORDER if pool.get(kind)] or ["deeds"]
            kind = min(kinds, key=lambda kind: asked[kind])
            if pool.get(kind) and len(questions) < MOST_QUESTIONS:
                asked[kind] += 1
                question = pool[kind].pop(0)
                if question not in questions:
                    questions.append(question)
    return questions


def suggest_followups(
    question: str,
    named: Sequence[NamedPart],
    quotes: Sequence[str],
) -> list[str]:
    """Return up to two questions about names that stand in the sentences in front of the reader.

    - A person whom the question does not name, since the answer introduces them: "Who is X?".
      The person that is named most often is first.
    - Two people in one of these sentences, at least one of whom the question does not name: the
      sentence says that they have to do with each other, so that the question has an answer. One of
      them is a person of the question, where there is such a sentence.
    - Nothing else. What can be asked of a place or a thing by its name alone, or of the person that
      the question is about, is the same for every name, and says nothing about these sentences.

    Names that their documents hardly mention are left out, since little can be found about them,
    and those with an article in the text ("the Indians"), which are no person's.
    The questions have the language of the question and use only names written in it.

    Args:
        quotes: what the answer cites or quotes, which is on the cards below it. The rest of their
            passages is not seen there.
    """
    chinese = has_han(question)
    people = [p for p in named if p.type == "person" and has_han(p.name) == chinese]
    named_in_it = [p for p in people if p.words in question or p.name in question]
    asked_ids = {p.entity_id for p in named_in_it}
    asked = [p for p in named_in_it if p.is_subject]
    own = stems(question)  # "Cratchits" is no other name than "Cratchit"
    fresh = [
        part
        for part in people
        if part.is_subject and part.entity_id not in asked_ids and not stems(part.name) <= own
    ]
    language = "zh" if chinese else "en"
    sentences = [text[a:b] for text in quotes for a, b in split_sentences(text, language)]
    places: dict[int, set[int]] = {}  # entity -> sentences that name it
    for part in (*asked, *fresh):
        pattern = build_pattern([part.words])
        inside = {n for n, sentence in enumerate(sentences) if pattern.search(sentence)}
        places.setdefault(part.entity_id, set()).update(inside)
    names = {p.entity_id: p.name for p in (*asked, *fresh)}
    known = [i for i in names if i in asked_ids]
    new = [i for i in names if i not in asked_ids and places[i]]
    new.sort(key=lambda i: -len(places[i]))
    pairs = [(a, b) for a in known for b in new] + list(combinations(new, 2))
    related = [pair for pair in pairs if places[pair[0]] & places[pair[1]]]
    related.sort(key=lambda pair: (pair[0] in new, -len(places[pair[0]] & places[pair[1]])))
    questions = [_word("relation", chinese, names[a], names[b]) for a, b in related[:1]]
    questions += [_word("person", chinese, names[entity_id]) for entity_id in new]
    same = question.strip().casefold()
    return [s for s in dict.fromkeys(questions) if s.casefold() != same][:MOST_FOLLOWUPS]


def _word(kind: str, chinese: bool, *names: str) -> str:
    return _WORDING[kind][chinese].format(*names)


def _questions(
    rows: Sequence[EntityRow],
    communities: Sequence[Sequence[str]],
    pairs: Sequence[tuple[str, str]] | None,
    chinese: bool,
) -> dict[str, list[str]]:
    people = [r.name for r in rows if r.type == "person"]
    topics = _topics_of(people, communities)
    if pairs is not None:
        related = (pair for pair in pairs if set(pair) <= set(people))
        pair: Sequence[str] = next(related, ())
    else:  # the two best known people of one topic, otherwise of the document
        together = [[name for name in people if name in names] for names in communities]
        best = (names[:2] for names in together if len(names) > 1)
        pair = next(best, people[: 0 if topics else 2])
    things = [r.name for r in rows if r.type in _THINGS]
    places = [r.name for r in rows if r.type == "place"]
    questions = {
        "person": [_word("person", chinese, name) for name in people[:1]],
        "relation": [_word("relation", chinese, *pair)] if len(pair) > 1 else [],
        "place": [_word("place", chinese, name) for name in places[:1]],
        "theme": [_word("theme", chinese, *topics[0][:3])] if topics else [],
        "thing": [_word("thing", chinese, name) for name in things[:2]],
        "deeds": [_word("deeds", chinese, name) for name in people[1:3]],
    }
    if not any(questions.values()):
        questions["thing"] = [_word("thing", chinese, row.name) for row in rows[:2]]
    return questions
