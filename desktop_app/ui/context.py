"""What every screen gets: the services of the open library, the theme and the messages."""

from __future__ import annotations

from dataclasses import dataclass

from desktop_app.session import Services

from .messages import Messages
from .sheet_drafts import SheetDraftKeeper
from .theme.theme import Theme


@dataclass(kw_only=True)
class SessionContext(Services):
    """Built once per library in workspace.py and passed to every screen."""

    theme: Theme
    draft_keeper: SheetDraftKeeper
    messages: Messages
    use_opengl: bool = False  # for the viewport of the graph
