"""Makes text of documents and models harmless in Markdown files.

A program that shows the file must load nothing and run nothing because of such a text: no image,
embedded note, frame or script, and no code block that a plug-in runs.
"""

from __future__ import annotations

import re

_TAG = re.compile(r"<(?=[A-Za-z/!?%])")
_CODE_LANGUAGE = re.compile(r"(?m)^([ \t>*+-]*(?:\d+[.)][ \t]+)?(?:`{3,}|~{3,}))[^\n`]*$")
_INLINE_QUERY = re.compile(r"(`+)(?=[$=])")
_DEFINITION = re.compile(r"(?m)^([ \t>*+-]*)\[(?=[^\]\n]*\]:)")


def disarm_markdown(text: str) -> str:
    """Return Markdown in which images and tags are text; links stay, for they need a click."""
    text = _TAG.sub("&lt;", text).replace("![", "!\\[")
    text = _CODE_LANGUAGE.sub(r"\1", text)
    return _INLINE_QUERY.sub(r"\1 ", _DEFINITION.sub(r"\1\\[", text))


def disarm_line(text: str) -> str:
    """Return a text in one line that has no Markdown links either."""
    return disarm_markdown(" ".join(text.split())).replace("](", "]\\(").replace("[[", "[\\[")
