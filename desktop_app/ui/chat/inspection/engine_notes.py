"""What the engine notes beside its steps, in the window's language. No widgets here.

Owns the list of these notes and of the short words for steps; the engine speaks English. A note
that is not listed, such as the name of a model, is shown as it is.
"""

from __future__ import annotations

import re
from functools import cache

from desktop_app.ui.language import later, tr, tr_said

NOTES = (
    later("no name that the library knows"),
    later("nothing found"),
    later("given"),
    later("read off the question"),
    later("at most {n}"),
    later("copies of passages before them are dropped"),
    later("{n} communities of level {level}"),
    later("{n} of {m} tokens"),
    later("no community has anything on it"),
    later("the documents to look in hold no text"),
    later("no keyword to look for: name a person, a thing or a theme"),
    later("not put in order by the reranker: {reason}"),
    later("no vectors: searched by words and names only"),
    later("the library was embedded with another model: words and names only"),
    later("the name of the last turn put in"),
    later("rewritten by the model"),
    later("the model's “{words}” was not used"),
    later("with the names of the last turn"),
    later("with the names of the last turn; {reason}"),
    later("nothing in the last turn to understand it by"),
    later("{name}: out of time"),
)
# The steps as they stand beside their times; "_" in the engine's words is a blank here.
STEP_WORDS = (
    *(later("words"), later("meaning"), later("names"), later("walk"), later("entity")),
    *(later("relation"), later("reranker"), later("embedding"), later("index"), later("graph")),
    *(later("local"), later("global"), later("passages"), later("themes"), later("books")),
    *(later("scope"), later("fit"), later("context"), later("follow-up"), later("reports")),
    *(later("questions"), later("keywords by the model"), later("names in the context")),
    *(later("relations in the context"), later("keywords"), later("entities")),
    *(later("relations"), later("asked in the language of the sources")),
)
_VALUE = re.compile(r"\{(\w+)\}")


def say_note(note: str) -> str:
    """Return a note of the engine in the window's language, an unknown one as it is."""
    if note in NOTES:
        return tr(note)
    for pattern, template in _patterns():
        if match := pattern.fullmatch(note):
            values = {name: say_note(said) for name, said in match.groupdict().items()}
            return tr(template, **values)
    return tr_said(note)


@cache
def _patterns() -> list[tuple[re.Pattern[str], str]]:
    found = []
    for template in NOTES:
        parts = _VALUE.split(template)
        if len(parts) > 1:
            words = [re.escape(p) if i % 2 == 0 else f"(?P<{p}>.+?)" for i, p in enumerate(parts)]
            found.append((re.compile("".join(words), re.DOTALL), template))
    return found
