"""Reads every file of the test data in a child process of its own: none may hang, crash or lie.

Run as `python -m benchmarks.bad_files [FOLDER …]`. The data stand beside the checkout, or where
the variable INKGRAPH_DATA says. The last line is JSON; `failed` must be 0.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
import unicodedata
from pathlib import Path

TIMEOUT_S = 60
_FOLDERS = ("files", "derived", "en_novels", "zh_novels")
_SKIPPED = ("SOURCE.txt", "passwords.json")
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def data_folder() -> Path:
    beside = Path(__file__).resolve().parents[1] / ".." / "shared" / "data"
    return Path(os.environ.get("INKGRAPH_DATA", beside)).resolve()


def judge_text(text: str) -> str:
    """Return what is wrong with a text that a reader gave, "" if nothing."""
    if not text.strip():
        return "empty text"
    if text.count("\ufffd") * 1000 > len(text):
        return "replacement characters"
    if _CONTROL.search(text):
        return "control characters"
    if any(unicodedata.category(c) == "Cs" for c in set(text)):
        return "half characters"
    return ""


def read_one(path: Path) -> dict[str, object]:
    """Read a file the way the program does, with its password if it asks for one."""
    from desktop_app.engine.errors import AppError, PasswordNeeded
    from desktop_app.engine.text.reading import read_file

    began = time.perf_counter()
    result: dict[str, object] = {"outcome": "read", "reason": ""}
    try:
        try:
            documents = read_file(path)
        except PasswordNeeded:
            known = path.parent / "passwords.json"
            passwords = json.loads(known.read_text("utf-8")) if known.exists() else {}
            if not passwords.get(path.name):
                raise
            documents = read_file(path, password=passwords[path.name])
        problems = [p for d in documents if (p := judge_text(d.text))]
        result["chars"] = sum(len(d.text) for d in documents)
        result["title"] = documents[0].title
        result["headings"] = len(documents[0].outline)
        result["reason"] = "; ".join(documents[0].notes)
        if problems:
            result |= {"outcome": "failed", "reason": problems[0]}
    except AppError as error:
        result |= {"outcome": "refused", "reason": str(error)}
    except Exception as error:
        result |= {"outcome": "failed", "reason": f"{type(error).__name__}: {error}"}
    result["seconds"] = round(time.perf_counter() - began, 2)
    return result


def run_child(path: Path) -> dict[str, object]:
    command = [sys.executable, "-m", "benchmarks.bad_files", "--one", str(path)]
    try:
        done = subprocess.run(command, capture_output=True, timeout=TIMEOUT_S, check=False)
        return json.loads(done.stdout.decode("utf-8").strip().splitlines()[-1])
    except subprocess.TimeoutExpired:
        return {"outcome": "failed", "reason": "hung", "seconds": TIMEOUT_S}
    except (IndexError, ValueError):
        return {"outcome": "failed", "reason": f"crashed ({done.returncode})", "seconds": 0}


def main(arguments: list[str]) -> int:
    if arguments[:1] == ["--one"]:
        print(json.dumps(read_one(Path(arguments[1]))))
        return 0
    folders = [Path(a) for a in arguments] or [data_folder() / name for name in _FOLDERS]
    paths = sorted(
        p for f in folders for p in f.rglob("*") if p.is_file() and p.name not in _SKIPPED
    )
    counts = {"read": 0, "refused": 0, "failed": 0}
    slowest, slowest_name = 0.0, ""
    for path in paths:
        result = run_child(path)
        counts[str(result["outcome"])] += 1
        seconds = float(str(result["seconds"]))
        if seconds > slowest:
            slowest, slowest_name = seconds, path.name
        print(
            f"{result['outcome']:8}{seconds:6.2f}s {result.get('chars', 0):>8} "
            f"{result.get('headings', 0):>4}  {path.parent.name}/{path.name}  "
            f"{result.get('title', '')}  {result['reason']}",
            flush=True,
        )
    summary = {"bench": "bad-files", "files": len(paths), **counts}
    print(json.dumps(summary | {"slowest_s": slowest, "slowest": slowest_name}))
    return 1 if counts["failed"] else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
