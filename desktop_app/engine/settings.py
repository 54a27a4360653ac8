"""Settings classes: fields with label, help, range and choices, their checks, and the JSON file.

A settings class is a frozen dataclass whose fields are made by `option`. Forms, checks and stored
values are built from it, so a new setting is one more field. Owns `settings.json`, but knows no
particular setting.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, TypeVar

from .errors import EnvironmentProblem, UserError

S = TypeVar("S")
# when a change takes effect: immediately, for documents read later, at the next start
NOW, NEW_DOCUMENTS, RESTART = "now", "new documents", "restart"


@dataclass(frozen=True, slots=True)
class Option:
    """One field of a settings class with its metadata. All texts are shown translated.

    Attributes:
        kind: "choice", "number", "flag", "text" (one line), "paragraph", "words" (a tuple of
            texts) or "folder".
        section: title of the group in a form.
        unit: of a number; zero: the meaning of 0 or an empty text, "" if it has none.
        choices: pairs of value and label; with `other_values`, any text is valid.
        required: whether an empty list is invalid.
        expert: whether forms show it among the advanced settings only.
        applies: `NOW`, `NEW_DOCUMENTS` or `RESTART`.
    """

    name: str
    kind: str
    default: Any
    label: str
    help: str = ""
    section: str = ""
    unit: str = ""
    least: float = 0
    most: float = 0
    zero: str = ""
    choices: tuple[tuple[Any, str], ...] = ()
    other_values: bool = False
    required: bool = False
    expert: bool = False
    applies: str = NOW


def option(default: Any, label: str, help: str = "", *, kind: str = "", **metadata: Any) -> Any:
    """Return a dataclass field for a setting.

    The translation catalogue is extracted from the texts of this call.

    Args:
        kind: only needed where the default does not determine it: "folder", "paragraph".
        metadata: further attributes of `Option`.
    """
    if not kind:
        plain = {bool: "flag", int: "number", float: "number", tuple: "words"}
        kind = "choice" if metadata.get("choices") else plain.get(type(default), "text")
    return field(default=default, metadata={"kind": kind, "label": label, "help": help, **metadata})


def options_of(settings_class: type) -> tuple[Option, ...]:
    """Return the options of a settings class in order; other fields are left out."""
    return tuple(
        Option(name=f.name, default=f.default, **f.metadata)
        for f in fields(settings_class)
        if "label" in f.metadata
    )


def check_value(option: Option, value: Any) -> Any:
    """Return the value to store; a number may be given as text, a tuple as a list.

    Raises:
        UserError: the value is not allowed.
    """
    if option.kind == "number":
        return _check_number(option, value)
    if option.kind == "choice":
        if value in [v for v, _ in option.choices]:
            return value
        if option.other_values and isinstance(value, str):
            return value
        raise UserError("“{value}” is not one of the choices.", value=value)
    if option.kind == "folder":
        return _check_folder(str(value).strip())
    if option.kind == "words" and isinstance(value, list):
        value = tuple(value)
    if type(value) is not type(option.default):
        raise UserError("“{value}” can't be used here.", value=value)
    if option.kind == "words":
        if not all(isinstance(word, str) and word.strip() for word in value):
            raise UserError("“{value}” can't be used here.", value=value)
        if option.required and not value:
            raise UserError("At least one is needed.")
    return value


def check_together(settings: Any) -> None:
    """Call the `check` method of a settings class, if any, for rules between its values.

    Raises:
        UserError: the values do not fit together.
    """
    getattr(settings, "check", lambda: None)()


def load_valid(settings_class: type[S], stored: object) -> S:
    """Return stored settings with defaults for missing and invalid values; never fails.

    Args:
        stored: a mapping from names to values; anything else counts as empty.
    """
    valid = {}
    for one in options_of(settings_class):
        if isinstance(stored, Mapping) and one.name in stored:
            try:
                valid[one.name] = check_value(one, stored[one.name])
            except UserError:
                continue
    settings = settings_class(**valid)
    try:
        check_together(settings)
    except UserError:
        return settings_class()
    return settings


def _check_number(option: Option, value: Any) -> float:
    whole = isinstance(option.default, int)
    text = str(value).replace("，", ",").replace(",", "" if whole else ".").replace(" ", "")
    if not text and option.zero:
        return 0
    try:
        number = int(text) if whole else float(text)
    except ValueError:
        raise UserError(
            "“{value}” is not a whole number." if whole else "“{value}” is not a number.",
            "Write digits only, such as {example}.",
            value=value,
            example=option.default or option.least,
        ) from None
    if number == 0 and option.zero:
        return 0
    if not option.least <= number <= option.most:
        raise UserError(
            "Choose a value from {least:,} to {most:,}.", least=option.least, most=option.most
        )
    return number


def _check_folder(text: str) -> str:
    if not text:
        return ""
    folder = Path(text).expanduser()
    if not folder.is_dir():
        raise UserError("There is no folder “{text}”.", "Choose a folder that exists.", text=text)
    if not os.access(folder, os.W_OK):
        raise UserError("Nothing can be written to “{text}”.", "Choose another folder.", text=text)
    return str(folder)


class SettingsFile:
    """`settings.json`: one section per settings class; invalid values become defaults."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def load(self, section: str, settings_class: type[S]) -> S:
        """Return the stored settings; never fails, so that the program always starts."""
        return load_valid(settings_class, self._read().get(section))

    def save(self, section: str, settings: Any) -> None:
        """Save a section; only values that differ from the defaults are written.

        Raises:
            UserError: the values do not go together.
            EnvironmentProblem: the file can't be written.
        """
        check_together(settings)
        defaults = asdict(type(settings)())
        kept = self._read()
        kept[section] = {k: v for k, v in asdict(settings).items() if v != defaults[k]}
        write_mapping(self._path, kept)

    def _read(self) -> dict[str, Any]:
        return load_mapping(self._path)


def load_mapping(path: Path) -> dict[str, Any]:
    """Return the mapping in a JSON file; empty if there is none."""
    try:
        content = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    return content if isinstance(content, dict) else {}


def write_mapping(path: Path, content: Mapping[str, Any]) -> None:
    """Replace a JSON file of settings by this mapping.

    Raises:
        EnvironmentProblem: it can't be written.
    """
    fresh = path.with_suffix(".new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            text = json.dumps(content, ensure_ascii=False, indent=1).encode()
        except UnicodeEncodeError:  # a path that is no Unicode
            text = json.dumps(content, indent=1).encode()
        fresh.write_bytes(text + b"\n")
        os.replace(fresh, path)
    except OSError as error:
        raise EnvironmentProblem(
            "The settings can't be saved in {folder}: {reason}.",
            folder=path.parent,
            reason=error.strerror or error,
        ) from error
