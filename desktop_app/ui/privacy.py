"""What the program touches, in words: the same on the page behind the mark and in the settings."""

from __future__ import annotations

from desktop_app.engine import paths

from .language import later, tr

STAYS_HERE = later(
    "Your documents, questions and answers stay on this computer. Reading, searching and "
    "answering use no network. Only “Install” on the Models screen fetches something, when "
    "you press it. A link in an answer opens in your browser, after you agree."
)


def list_places(library_path: str) -> list[tuple[str, str]]:
    """Return what is written where: name and path."""
    return [
        (tr("This library"), library_path),
        (tr("Models"), str(paths.models_dir())),
        (tr("Settings"), str(paths.data_dir())),
    ]
