"""Exports the part of this machine's pip configuration that decides which index pip reaches.

`fresh_check.sh` uses it to give pip the same index inside another system root. Reads the merged
result of `pip config list`, therefore knows nothing of where the configuration files are. Writes
five files into the folder that is given: `pip.conf`, `environment` (NAME=value lines),
`folders` (local folders that must be visible at the same path), `certificates` (files) and
`missing` (local paths that the configuration names and that do not exist).
"""

from __future__ import annotations

import ast
import html
import os
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urljoin, urlsplit
from urllib.request import url2pathname

LOCATION_OPTIONS = frozenset({"index-url", "extra-index-url", "find-links"})
CERTIFICATE_OPTIONS = frozenset({"cert", "client-cert"})
# The other options (caches, install locations, output) belong to this machine and stay here.
ACCESS_OPTIONS = (
    LOCATION_OPTIONS
    | CERTIFICATE_OPTIONS
    | {"no-index", "trusted-host", "proxy", "timeout", "default-timeout", "retries"}
)
ENVIRONMENT_SECTION = ":env:"
LINK = re.compile(r"""<a\s[^>]*?\bhref\s*=\s*(?:"([^"]*)"|'([^']*)')""", re.IGNORECASE)


class Setting(NamedTuple):
    section: str
    option: str
    value: str


def parse_settings(listing: str) -> list[Setting]:
    """Return the index settings in the output of `pip config list`, in its order."""
    settings = []
    for line in listing.splitlines():
        key, equals, literal = line.partition("=")
        section, dot, option = key.rpartition(".")
        if not (equals and dot) or option not in ACCESS_OPTIONS:
            continue
        words = str(ast.literal_eval(literal)).split()
        # "~" is another folder for another user, hence made absolute here.
        value = " ".join(os.path.expanduser(word) for word in words)
        settings.append(Setting(section, option, value))
    return settings


def build_settings_of_environment(environment: Mapping[str, str]) -> list[Setting]:
    """Return the index settings in the PIP_* variables, for a Python without pip."""
    listing = "".join(
        f"{ENVIRONMENT_SECTION}.{name[4:].lower().replace('_', '-')}={value!r}\n"
        for name, value in sorted(environment.items())
        if name.startswith("PIP_")
    )
    return parse_settings(listing)


def build_config(settings: Iterable[Setting]) -> str:
    """Return the text of a pip.conf with the settings that came from configuration files."""
    sections: dict[str, list[str]] = {}
    for section, option, value in settings:
        if section != ENVIRONMENT_SECTION:
            sections.setdefault(section, []).append(f"{option} = {value}\n")
    return "\n".join(f"[{name}]\n{''.join(lines)}" for name, lines in sections.items())


def build_environment(settings: Iterable[Setting]) -> str:
    """Return NAME=value lines with the settings that came from PIP_* variables."""
    return "".join(
        f"PIP_{option.upper().replace('-', '_')}={value}\n"
        for section, option, value in settings
        if section == ENVIRONMENT_SECTION
    )


def find_local_path(location: str) -> Path | None:
    """Return the path that a file: URL or an absolute path stands for; None for other URLs."""
    parts = urlsplit(location)
    if parts.scheme == "file":
        return Path(url2pathname(parts.path))
    path = Path(location)
    return path if path.is_absolute() else None


def iter_linked_folders(page: Path) -> Iterator[Path]:
    """Yield the folder of each local file that an HTML page of an index links to."""
    base = page.as_uri()
    for quoted in LINK.findall(page.read_text(encoding="utf-8", errors="replace")):
        path = find_local_path(urljoin(base, html.unescape("".join(quoted))))
        if path is not None and path.exists():
            folder = Path(os.path.normpath(path if path.is_dir() else path.parent))
            yield folder
            yield folder.resolve()


def iter_folders(location: Path) -> Iterator[Path]:
    """Yield the folder of a local index or of a find-links value, and all that it refers to.

    A simple index refers to its files by relative links, often outside of its own folder; a
    folder of wheels may contain symbolic links.
    """
    if location.is_file():
        yield location.parent
        yield from iter_linked_folders(location)
        return
    yield location
    if location.resolve() != location:
        yield location.resolve()
    for folder, _, names in os.walk(location):
        for name in names:
            path = Path(folder, name)
            if path.is_symlink():
                yield path.resolve().parent
            if path.suffix == ".html":
                yield from iter_linked_folders(path)


def reduce_folders(folders: Iterable[Path]) -> list[Path]:
    """Return the folders sorted, without those that are inside another one of them."""
    kept: list[Path] = []
    for folder in sorted(set(folders)):
        if not any(folder.is_relative_to(parent) for parent in kept):
            kept.append(folder)
    return kept


def export_settings(settings: list[Setting], target: Path) -> None:
    """Write the five files that the module's description lists."""
    folders: set[Path] = set()
    certificates: set[Path] = set()
    missing: set[Path] = set()
    for _, option, value in settings:
        for word in value.split():
            path = find_local_path(word)
            if path is None:
                continue
            if not path.exists():
                missing.add(path)
            elif option in LOCATION_OPTIONS:
                folders.update(iter_folders(path))
            elif option in CERTIFICATE_OPTIONS:
                certificates.add(path)
    target.mkdir(parents=True, exist_ok=True)
    texts = {
        "pip.conf": build_config(settings),
        "environment": build_environment(settings),
        "folders": "".join(f"{folder}\n" for folder in reduce_folders(folders)),
        "certificates": "".join(f"{path}\n" for path in sorted(certificates)),
        "missing": "".join(f"{path}\n" for path in sorted(missing)),
    }
    for name, text in texts.items():
        (target / name).write_text(text, encoding="utf-8")


def main() -> int:
    if len(sys.argv) != 2:
        print("usage: pip_settings.py FOLDER", file=sys.stderr)
        return 2
    listed = subprocess.run(
        [sys.executable, "-m", "pip", "config", "list"], capture_output=True, text=True, check=False
    )
    if listed.returncode == 0:
        settings = parse_settings(listed.stdout)
    else:
        print("This Python has no pip: only PIP_* variables are read, no pip.conf.")
        settings = build_settings_of_environment(os.environ)
    export_settings(settings, Path(sys.argv[1]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
