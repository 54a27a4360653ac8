"""Keeps the catalogue of the window's words: reads them from the code, compiles them for Qt.

The words of each package of `desktop_app/ui` lie in one `.ts` file under
`resources/translations/zh/` (Qt's format, which Qt Linguist opens); `main.ts` has those outside
the packages, and `engine.ts` the templates of all messages: the literals in `Message(...)` and in
the calls of errors. Commands:

    python packaging/translations.py update [PACKAGE...]    read the code, keep what is translated
    python packaging/translations.py missing PACKAGE        what has no Chinese yet, as JSON
    python packaging/translations.py fill PACKAGE FILE      take {English: Chinese} from a JSON file
    python packaging/translations.py bare PACKAGE           texts in the code that no `tr` wraps
    python packaging/translations.py release                compile inkgraph_zh.qm
    python packaging/translations.py check                  all of it is whole and current
"""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
import sysconfig
import tempfile
import tomllib
import xml.etree.ElementTree as ET
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
UI = ROOT / "desktop_app" / "ui"
FOLDER = ROOT / "resources" / "translations"
CATALOGUE = FOLDER / "inkgraph_zh.qm"
CONTEXT = "Inkgraph"
MAIN, ENGINE = "main", "engine"
MESSAGE = "Message"
ERROR = "AppError"  # it and its subclasses take a message and a hint
MODELS = ROOT / "resources" / "models.toml"  # its notes are shown with the models
# calls whose texts are translated, names or style sheets of Qt, or for the log
NOT_BARE = {
    *("tr", "trn", "later", "option", MESSAGE, "UserError", "EnvironmentProblem"),
    *("setObjectName", "setStyleSheet", "log_failure", "warning", "error", "info", "RuntimeError"),
    "count",  # of rows in a state
    *("ProtocolError", "plain"),  # logged
}
# constants of these names are no words
UNSHOWN = re.compile(r"__all__|SHEET|\w+_(FAMILY|FAMILIES|FILES)")
FIELD = re.compile(r"\{\w+(?::[^{}]*)?\}")  # a value in a template
KEYS = re.compile(
    r"(?:(?:Ctrl|Alt|Shift|Meta)\+)*(?:.|F\d+|Esc|Up|Down|Left|Right|Home|End"
    r"|Return|Enter|Space|Del|PgUp|PgDown|Tab)"
)
WORDS = re.compile(r"[A-Z][a-z]+|[a-z]{2,} [a-z]|[a-z]{3,}…|^[a-z]{2,} $|^ [a-z]{2,}")


class Words:
    """The texts of some files: `plain` in order, `counted` the many-forms of `trn`."""

    def __init__(self) -> None:
        self.plain: dict[str, str] = {}
        self.counted: dict[str, str] = {}
        self.problems: list[str] = []


def packages() -> list[str]:
    found = [p.name for p in sorted(UI.iterdir()) if (p / "__init__.py").exists()]
    return [*found, MAIN, ENGINE]


def files_of(package: str) -> list[Path]:
    program = ROOT / "desktop_app"
    if package == ENGINE:
        # the command line is English
        files = (p for p in program.rglob("*.py") if p.name != "__main__.py")
        return sorted(p for p in files if program / "cli" not in p.parents)
    if package == MAIN:
        top = [p for p in program.glob("*.py") if p.name != "__main__.py"]
        return sorted([*top, *UI.glob("*.py"), *(program / "workers").glob("*.py")])
    return sorted((UI / package).rglob("*.py"))


def read_words(package: str) -> Words:
    """Return every text that the package's code has translated."""
    words = Words()
    trees = {file: ast.parse(file.read_text("utf-8")) for file in files_of(package)}
    errors = _error_names(trees.values()) if package == ENGINE else set()
    for file, tree in trees.items():
        place = str(file.relative_to(ROOT))
        for call in _calls(tree):
            if package != ENGINE or (_name(call) == "option" and UI not in file.parents):
                _read_call(call, place, words)
            elif _name(call) in {MESSAGE, *errors}:
                n_texts = 1 if _name(call) == MESSAGE else 2
                _read_templates(call.args[:n_texts], f"{place}:{call.lineno}", words)
    if package == ENGINE:
        models = tomllib.loads(MODELS.read_text("utf-8"))
        for model in (*models["model"], *models["suggestion"]):
            words.plain.setdefault(model["note"], f"resources/models.toml ({model['title']})")
    return words


def _error_names(trees: Iterable[ast.AST]) -> set[str]:
    """Return the names of `AppError` and its subclasses."""
    bases = {
        node.name: {getattr(base, "id", "") for base in node.bases}
        for tree in trees
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
    }
    found = {ERROR}
    while more := {name for name, above in bases.items() if above & found} - found:
        found |= more
    return found


def _calls(tree: ast.AST) -> Iterator[ast.Call]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.Call))


def _name(call: ast.Call) -> str:
    return getattr(call.func, "id", getattr(call.func, "attr", ""))


def _read_call(call: ast.Call, place: str, words: Words) -> None:
    name = _name(call)
    where = f"{place}:{call.lineno}"
    if name == "option":
        for text in _option_texts(call):
            words.plain.setdefault(text, where)
    elif name in ("tr", "later") and call.args:
        texts = _literals(call.args[0])
        for text in texts:
            words.plain.setdefault(text, where)
        known = isinstance(call.args[0], ast.Name | ast.Attribute | ast.Subscript | ast.Call)
        if not texts and not known:
            words.problems.append(f"{where}: {name}() needs the text itself, not an f-string")
    elif name == "trn" and len(call.args) > 1:
        for text in _literals(call.args[1]):
            words.counted.setdefault(text, where)


def _read_templates(arguments: Iterable[ast.expr], where: str, words: Words) -> None:
    for argument in arguments:
        if any(isinstance(node, ast.JoinedStr | ast.BinOp) for node in ast.walk(argument)):
            words.problems.append(f"{where}: a message needs its template, not an f-string")
        for text in _literals(argument):
            if re.search(r"[A-Za-z]", FIELD.sub("", text)) or len(FIELD.findall(text)) > 1:
                words.plain.setdefault(text, where)


def _option_texts(call: ast.Call) -> list[str]:
    """Return the texts of a setting: label, help, section, unit, meaning of 0, and choices."""
    given = {keyword.arg: keyword.value for keyword in call.keywords}
    shown = [*call.args[1:], *(given[k] for k in ("section", "unit", "zero") if k in given)]
    choices = getattr(given.get("choices"), "elts", [])
    shown += [choice.elts[1] for choice in choices if isinstance(choice, ast.Tuple)]
    return [text for node in shown for text in _literals(node)]


def _literals(node: ast.AST) -> list[str]:
    """Return the text of a literal, or both of `a if x else b`."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return [node.value]
    if isinstance(node, ast.IfExp):
        return _literals(node.body) + _literals(node.orelse)
    return []


# --- the .ts files --------------------------------------------------------------------------------


def ts_file(package: str) -> Path:
    return FOLDER / "zh" / f"{package}.ts"


def read_ts(package: str) -> dict[str, str]:
    """Return {English: Chinese} of one file, the untranslated left out."""
    if not ts_file(package).exists():
        return {}
    found = {}
    for message in ET.parse(ts_file(package)).iter("message"):
        # a counted text has its translation one element deeper
        counted = message.findtext("translation/numerusform")
        said = message.findtext("translation") if counted is None else counted
        if said:
            found[message.findtext("source") or ""] = said
    return found


def write_ts(file: Path, words: Words, translated: dict[str, str]) -> None:
    root = ET.Element("TS", version="2.1", language="zh_CN", sourcelanguage="en")
    context = ET.SubElement(root, "context")
    ET.SubElement(context, "name").text = CONTEXT
    for text, counted in [(t, False) for t in words.plain] + [(t, True) for t in words.counted]:
        message = ET.SubElement(context, "message", {"numerus": "yes"} if counted else {})
        ET.SubElement(message, "source").text = text
        said = translated.get(text, "")
        place = ET.SubElement(message, "translation", {} if said else {"type": "unfinished"})
        (ET.SubElement(place, "numerusform") if counted else place).text = said
    ET.indent(root)
    head = '<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE TS>\n'
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(head + ET.tostring(root, "unicode") + "\n", "utf-8")


def update(names: list[str]) -> None:
    for package in names or packages():
        words = read_words(package)
        write_ts(ts_file(package), words, read_ts(package))
        for problem in words.problems:
            print(problem)


def missing(package: str) -> list[str]:
    words, known = read_words(package), read_ts(package)
    return [t for t in (*words.plain, *words.counted) if t not in known]


def fill(package: str, file: Path) -> None:
    given = json.loads(file.read_text("utf-8"))
    words = read_words(package)
    strange = [t for t in given if t not in words.plain and t not in words.counted]
    for text in strange:
        print(f"not in the code: {text!r}")
    write_ts(ts_file(package), words, {**read_ts(package), **given})


def release(to: Path = CATALOGUE) -> None:
    """Compile all files to one; the first of equal texts counts."""
    known: dict[str, str] = {}
    all_words = Words()
    for package in packages():
        words, translated = read_words(package), read_ts(package)
        known = {**translated, **known}
        all_words.plain |= words.plain
        all_words.counted |= words.counted
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "all.ts"
        write_ts(file, all_words, known)
        command = [sysconfig.get_path("scripts") + "/pyside6-lrelease", "-silent", str(file)]
        fresh = to.with_suffix(".new")
        subprocess.run([*command, "-qm", str(fresh)], check=True)
    os.replace(fresh, to)  # a window that reads the old one keeps it


# --- what is wrong --------------------------------------------------------------------------------


def problems() -> list[str]:
    """Return what a person would see untranslated or broken; empty if all is well."""
    found: list[str] = []
    seen: dict[str, tuple[str, str]] = {}
    for package in packages():
        words, known = read_words(package), read_ts(package)
        found += words.problems
        texts = {**words.plain, **words.counted}
        found += [f"{texts[t]}: no Chinese for {t!r}" for t in texts if t not in known]
        found += [f"{package}.ts: {t!r} is not in the code" for t in known if t not in texts]
        for text, said in known.items():
            if sorted(FIELD.findall(text)) != sorted(FIELD.findall(said)):
                found.append(f"{package}.ts: other values in {text!r} and {said!r}")
            other = seen.setdefault(text, (package, said))
            if other[1] != said:
                found.append(f"{text!r} is {other[1]!r} in {other[0]}.ts, {said!r} in {package}.ts")
    return found


def bare(package: str) -> list[str]:
    """Return texts that look like the window's words and stand in no `tr`."""
    found = []
    for file in files_of(package):
        tree = ast.parse(file.read_text("utf-8"))
        quiet = {id(n) for n in _quiet(tree)}
        lines = file.read_text("utf-8").splitlines()
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                shown = WORDS.search(node.value) and "not shown" not in lines[node.lineno - 1]
                shown = shown and not KEYS.fullmatch(node.value)
                if shown and id(node) not in quiet:
                    found.append(f"{file.relative_to(ROOT)}:{node.lineno}: {node.value!r}")
    return found


def _quiet(tree: ast.AST) -> Iterator[ast.AST]:
    """Everything that is translated already, or is no text for a person."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _name(node) in NOT_BARE:
            yield from ast.walk(node)
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield node.value
        elif isinstance(node, ast.AnnAssign | ast.arg) and node.annotation is not None:
            yield from ast.walk(node.annotation)
        elif isinstance(node, ast.Subscript):
            yield from ast.walk(node.slice)
        elif isinstance(node, ast.Assign) and UNSHOWN.fullmatch(getattr(node.targets[0], "id", "")):
            yield from ast.walk(node.value)


def main(arguments: list[str]) -> int:
    match arguments:
        case ["update", *names]:
            update(names)
        case ["missing", package]:
            print(json.dumps(dict.fromkeys(missing(package), ""), ensure_ascii=False, indent=1))
        case ["fill", package, file]:
            fill(package, Path(file))
        case ["bare", package]:
            print("\n".join(bare(package)))
        case ["release"]:
            release()
        case ["check"]:
            wrong = problems()
            print("\n".join(wrong) or "The catalogue is whole.")
            return bool(wrong)
        case _:
            print(__doc__)
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
