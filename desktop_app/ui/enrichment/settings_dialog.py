"""The settings of enrichment, built from their class.

Reads them in the reader lane and emits the new settings; the controller saves them.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from desktop_app.engine.extraction.llm.tasks import EnrichSettings
from desktop_app.engine.settings import options_of
from desktop_app.workers.operations import Query

from ..language import tr
from ..widgets import Button, PrimaryButton
from ..widgets.option_form import OptionForm
from ..widgets.sheet import Sheet, scrolling
from .words import WORD_FORMATS


class EnrichmentSettingsDialog(Sheet):
    """Emits `kept` with the settings that the user saved."""

    kept = Signal(object)
    suggestion_wanted = Signal()

    def __init__(self, context: Any, parent: QWidget | None = None) -> None:
        super().__init__(tr("Enrichment settings"), parent)
        self._context = context
        self._settings = EnrichSettings()
        options = options_of(EnrichSettings)
        self.form = OptionForm(context.theme, options, word_formats=WORD_FORMATS)
        self.column.addWidget(scrolling(self.form), 1)
        self.suggest_button = Button(
            tr("Suggest from my library…"), tooltip=tr("Look at a sample of the documents")
        )
        self.defaults_button = Button(tr("Reset"), kind="quiet", tooltip=tr("Reset to defaults"))
        self.cancel_button = Button(tr("Cancel"))
        self.save_button = PrimaryButton(tr("Save"))
        self.add_foot(
            [self.cancel_button, self.save_button],
            [self.suggest_button, self.defaults_button],
            line=True,
        )
        self.fit(620, 700)
        self.suggest_button.clicked.connect(self.suggestion_wanted)
        self.defaults_button.clicked.connect(lambda: self.form.set_values(EnrichSettings()))
        self.cancel_button.clicked.connect(self.reject)
        self.save_button.clicked.connect(self._save)
        self.form.set_values(self._settings)
        self.refresh()

    def refresh(self) -> None:
        """Show the saved settings of the library."""
        service = self._context.enrichment_reader
        query = Query(self._context.reader_lane, service.load_settings, owner=self)
        query.on_success(self.show_settings).run()

    def show_settings(self, settings: EnrichSettings) -> None:
        self._settings = settings
        self.form.set_values(settings)

    def _save(self) -> None:
        if not self.form.commit():
            return
        settings = replace(self._settings, **self.form.values())
        if settings != self._settings:
            self.kept.emit(settings)
        self.accept()
