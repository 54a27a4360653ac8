"""Where the description and type of an entity come from, in words and as a mark.

Knows no screens.
"""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QWidget

from desktop_app.engine.services.provenance import EntityProvenance
from desktop_app.ui.theme.theme import Theme

from ..translation import later, tr, trn
from .labels import Badge
from .words import format_number, format_sureness, format_type, shorten_list

MARKS = {
    "model": ("models", later("By a model")),
    "quote": ("ph.quotes", later("Quoted")),
    "hand": ("rename", later("By you")),
    "import": ("install", later("Imported")),
}


def describe_description_source(provenance: EntityProvenance) -> str:
    """Return where the description comes from: a model, the user, an import or a quotation."""
    source, models = provenance.description_from, shorten_list(provenance.models)
    if source == "hand":
        return tr("Described by you")
    if source == "import":
        origins = shorten_list(provenance.origins)
        if not origins:
            return tr("Description imported from another graph")
        return tr("Description imported from {origins}", origins=origins)
    if source == "model":
        k, n = format_number(provenance.n_described), provenance.n_passages
        if not models:
            return trn(
                "Described from {k} of {n} passage",
                "Described from {k} of {n} passages",
                n,
                k=k,
            )
        return trn(
            "Described from {k} of {n} passage, by {models}",
            "Described from {k} of {n} passages, by {models}",
            n,
            k=k,
            models=models,
        )
    if models:
        return tr("Quoted, because {models} added nothing to the text", models=models)
    return tr("Quoted from your documents, not described by a model")


def describe_type_source(provenance: EntityProvenance, entity_type: str) -> str:
    """Return where the type comes from, with the confidence of a model."""
    who, word = provenance.type_from, format_type(entity_type)
    if who == "hand":
        return tr("Type set by you: {type}", type=word)
    if who == "import":
        return tr("Imported type: {type}", type=word)
    if who == "model":
        values = {
            "type": word.capitalize(),
            "sure": format_sureness(provenance.type_sureness) or tr("certainty unknown"),
        }
        # the models are named with the description already
        if provenance.description_from == "model" or not provenance.models:
            return trn(
                "{type}: {sure}, asked in {n} passage",
                "{type}: {sure}, asked in {n} passages",
                provenance.n_judged,
                **values,
            )
        return trn(
            "{type}: {sure}, according to {models}, asked in {n} passage",
            "{type}: {sure}, according to {models}, asked in {n} passages",
            provenance.n_judged,
            models=shorten_list(provenance.models),
            **values,
        )
    return tr("Type found without a model, from the words around the name: {type}", type=word)


class ProvenanceMark(Badge):
    """A badge with icon and word for the source of a description."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, "", "text2", parent)
        self._icon = "ph.quotes"

    def set_source(self, provenance: EntityProvenance) -> None:
        self._icon, words = MARKS[provenance.description_from]
        self.set_text(tr(words))
        self.setToolTip(describe_description_source(provenance))

    def sizeHint(self) -> QSize:
        return QSize(self._text_width() + 34, self._theme.length(22))

    def _text_left(self) -> int:
        return 26

    def _paint_sign(self, painter: QPainter) -> None:
        spot = QRect(7, (self.height() - 14) // 2, 14, 14)
        self._theme.icon(self._icon).paint(painter, spot)
