"""Runs edits in the writer lane and shows a message with an undo action.

Owns the result message and undo. Knows no screens: changes are published through the hub.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, Signal

from desktop_app.engine.changes import ChangeNotice
from desktop_app.engine.errors import AppError
from desktop_app.engine.messages import Message
from desktop_app.ui.context import SessionContext
from desktop_app.workers.operations import Query

from ..translation import later, tr, tr_message


@dataclass(frozen=True, slots=True)
class _ForeignStep:
    """A step of the history that another process made."""

    id: int
    label: Message


class EditRunner(QObject):
    """Runs edits one after another; emits `done` with what each changed."""

    done = Signal(object)

    def __init__(self, context: SessionContext, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._context = context

    def run(
        self,
        edit: Callable[..., ChangeNotice],
        *args: Any,
        message: str = "",
        then: Callable[[], None] | None = None,
        failed: Callable[[], None] | None = None,
        refused: Callable[[AppError], None] | None = None,
        **options: Any,
    ) -> None:
        """Run an edit and publish what it changed.

        Args:
            edit: a method of a service that makes one undoable edit, called with `args` and
                `options` in the writer lane.
            message: shown after success, with an undo action; none is shown if empty.
            then: called on the UI thread after success.
            failed: called on the UI thread after a failure, which is shown as any other.
            refused: called on the UI thread with a failure that the user can act on, in place of
                the message.
        """

        def work() -> tuple[ChangeNotice, int]:
            before = self._context.editing.find_newest_step()
            change = edit(*args, **options)
            newest = self._context.editing.find_newest_step()
            return change, newest if newest != before else 0

        def succeeded(result: tuple[ChangeNotice, int]) -> None:
            change, step = result
            self._context.hub.publish_edit(change)
            self.done.emit(change)
            if message:
                self.show_done(message, step)
            if then is not None:
                then()

        def show_failure(error: BaseException) -> None:
            if refused is not None and isinstance(error, AppError):
                refused(error)
            else:
                self._context.messages.show_error(error)
            if failed is not None:
                failed()

        query = Query(self._context.writer_lane, work, owner=self)
        query.on_success(succeeded)
        if failed is not None or refused is not None:
            query.on_error(show_failure)
        query.run()

    def show_done(self, message: str, step: int) -> None:
        """Show what was done, with an action that undoes this step of the history and no other.

        Args:
            step: 0 if nothing was changed.
        """
        if step:
            self._context.messages.show(
                message, kind="ok", action_text=tr("Undo"), action=partial(self.undo, step)
            )
        else:
            self._context.messages.show(message, kind="ok")

    def undo(self, step: int = 0) -> None:
        """Undo the last edit and show which one it was; of a step given, only if it is the last.

        An edit of another window or program is named first, and undone on request only.
        """
        self._step(step, is_undo=True)

    def redo(self, step: int = 0) -> None:
        """Redo the edit that was undone last, as `undo`."""
        self._step(step, is_undo=False)

    def go_to(self, history_id: int) -> None:
        """Move the history to this edit; 0 is before all edits."""
        self.run(self._context.editing.go_to, history_id)

    def _step(self, step: int, *, is_undo: bool) -> None:
        editing, show = self._context.editing, self._context.messages.show
        move = editing.undo if is_undo else editing.redo

        def work() -> tuple[Message | None, ChangeNotice] | _ForeignStep:
            foreign = None if step else editing.find_foreign_step(is_undo=is_undo)
            return move(step) if foreign is None else _ForeignStep(*foreign)

        def succeeded(result: tuple[Message | None, ChangeNotice] | _ForeignStep) -> None:
            if isinstance(result, _ForeignStep):
                self._ask_about(result, is_undo=is_undo)
                return
            label, change = result
            if label:
                words = later("Undone: {what}") if is_undo else later("Redone: {what}")
                action_text = tr("Redo") if is_undo else tr("Undo")
                action = self.redo if is_undo else self.undo
                show(tr(words, what=tr_message(label)), action_text=action_text, action=action)
            else:
                show(tr("Nothing to undo or redo."))
            self._context.hub.publish_edit(change)
            self.done.emit(change)

        Query(self._context.writer_lane, work, owner=self).on_success(succeeded).run()

    def _ask_about(self, step: _ForeignStep, *, is_undo: bool) -> None:
        """Show which edit of another window or program would be undone or redone, and offer it."""
        words = later("The last change was made in another window or program: {what}")
        if not is_undo:
            words = later("What was undone last was made in another window or program: {what}")
        self._context.messages.show(
            tr(words, what=tr_message(step.label)),
            kind="warn",
            action_text=tr("Undo it") if is_undo else tr("Redo it"),
            action=partial(self.undo if is_undo else self.redo, step.id),
        )
