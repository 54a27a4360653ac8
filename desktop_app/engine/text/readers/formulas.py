"""Formulas as one line of text: MathML of HTML, EPUB and OpenDocument, OMML of Word.

A fraction becomes "a/b", a power "x^2", a root "sqrt(x)", a matrix "[a, b; c, d]". Both languages
are brought into one tree of `MathNode` with the tags of MathML.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from lxml import etree

from .archives import local_attribute, local_name

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

MAX_DEPTH = 100  # formulas nested deeper lose their innermost parts
MAX_CHARS = 5_000  # of a formula; the rest is cut off


@dataclass(slots=True)
class MathNode:
    """An element of MathML: `text` of a leaf, `before` and `after` of a fence."""

    tag: str
    text: str = ""
    children: list[MathNode] = field(default_factory=list)
    before: str = ""
    after: str = ""
    separator: str = ","


_LEAVES = ("mi", "mn", "mo", "ms", "mtext")
_SKIPPED = ("annotation", "annotation-xml", "mphantom", "none", "mprescripts", "maligngroup")
_RELATIONS = "=≠≈≡≤≥<>∼≃≅∝∈∉⊂⊆⊃⊇→←↔⇒⇐⇔↦∧∨∣≪≫≔≜"
_BINARY = "+-−–±∓×÷·⋅∗⊕⊗∪∩∘"
_INVISIBLE = str.maketrans(dict.fromkeys("\u2061\u2062\u2063\u2064\u200b", None))
_ACCENTS = {
    **dict.fromkeys("^ˆ\u0302", "hat"),
    **dict.fromkeys("¯‾\u0304\u0305_\u0332", "bar"),
    **dict.fromkeys("→⃗\u20d7", "vec"),
    **dict.fromkeys("~˜\u0303", "tilde"),
    **dict.fromkeys("˙.\u0307", "dot"),
    **dict.fromkeys("¨\u0308", "ddot"),
}
_SINGLE = re.compile(
    r"[+−-]?[\w.]+|[a-z]+\([^()]*\)|\([^()]*\)|\[[^\[\]]*\]|[^\w\s]"
)  # needs no parentheses
_ENDS_IN_WORD = re.compile(r"[^\W\d_]+$")
_BEGINS_WITH_WORD = re.compile(r"[^\W_]+")


def format_formula(node: MathNode, depth: int = 0) -> str:
    """Return a formula as a line of text."""
    if depth > MAX_DEPTH or node.tag in _SKIPPED:
        return ""
    parts = [format_formula(child, depth + 1) for child in node.children]
    if node.tag in _LEAVES:
        return " ".join(node.text.translate(_INVISIBLE).split())
    if node.tag == "semantics":
        return parts[0] if parts else ""
    if node.tag == "msqrt":
        return f"sqrt({_join(node.children, parts)})"
    if node.tag == "mtable":
        return f"[{'; '.join(filter(None, parts))}]"
    if node.tag in ("mtr", "mlabeledtr"):
        return ", ".join(parts)
    if node.tag == "mfenced":
        return node.before + f"{node.separator} ".join(parts) + node.after
    if node.tag == "lines":  # of a group of equations
        return "; ".join(filter(None, parts))
    if node.tag == "applied":  # an operator or function and what it is applied to
        return " ".join(filter(None, parts))
    if node.tag == "choose":
        return " choose ".join(parts)
    if (shape := _SHAPES.get(node.tag)) is not None and len(parts) == shape:
        return _format_shape(node.tag, parts)
    return _join(node.children, parts)


_SHAPES = {  # tag -> number of its parts
    **{"mfrac": 2, "mroot": 2, "msup": 2, "msub": 2, "msubsup": 3},
    **{"mover": 2, "munder": 2, "munderover": 3},
}


def _format_shape(tag: str, parts: Sequence[str]) -> str:
    base, *rest = parts
    if tag == "mfrac":
        return f"{_group(base)}/{_group(rest[0])}"
    if tag == "mroot":
        return f"root({base}, {rest[0]})" if rest[0] else f"sqrt({base})"
    if tag in ("mover", "munder") and rest[0] in _ACCENTS:
        return f"{_ACCENTS[rest[0]]}({base})"
    base = base if base in ("", *_RELATIONS, *_BINARY) else _group(base)
    if tag in ("msup", "mover"):
        return base + _raise("^", rest[0])
    if tag in ("msub", "munder"):
        return base + _raise("_", rest[0])
    return base + _raise("_", rest[0]) + _raise("^", rest[1])


def _raise(sign: str, part: str) -> str:
    if part in ("′", "″", "'", "''", "‴"):
        return part
    return sign + _group(part) if part else ""


def _group(part: str) -> str:
    """Return a part in parentheses if it is more than one sign or name."""
    return part if not part or _SINGLE.fullmatch(part) else f"({part})"


def _join(nodes: Sequence[MathNode], parts: Iterable[str]) -> str:
    """Return the parts of a row with spaces around operators and between words."""
    text = ""
    for node, part in zip(nodes, parts, strict=True):
        if not part:
            continue
        if len(text) > MAX_CHARS:
            return text[:MAX_CHARS]
        is_operator = node.tag == "mo"
        if is_operator and part in _RELATIONS:
            text = f"{text.rstrip()} {part} "
        elif is_operator and part in _BINARY:
            is_sign = not text or text.endswith(("( ", "(", "[", ", ")) or text.endswith(" ")
            text += part if is_sign else f" {part} "
        elif is_operator and part in (",", ";"):
            text = f"{text.rstrip()}{part} "
        else:
            before, after = _ENDS_IN_WORD.search(text[-50:]), _BEGINS_WITH_WORD.match(part)
            is_run_together = before and after and max(len(before[0]), len(after[0])) > 1
            is_big = node.tag not in _LEAVES and _ends_in_big_operator(text)
            text += (" " if is_run_together or is_big else "") + part
            if part[0] in "∑∏∫∮⋃⋂" and not text.endswith(" "):
                text += " "
    return text.strip()


def _ends_in_big_operator(text: str) -> bool:
    return bool(text) and text[-1] in "∑∏∫∮⋃⋂"


# --- from the trees of the parsers ----------------------------------------------------------------


def format_mathml(element: etree._Element) -> str:
    """Return the formula of a `math` element."""
    return format_formula(_of_mathml(element))


def _of_mathml(element: etree._Element, depth: int = 0) -> MathNode:
    tag = local_name(element)
    if depth > MAX_DEPTH:
        return MathNode("none")
    if tag in _LEAVES:
        return MathNode(tag, "".join(element.itertext()))
    children = [_of_mathml(child, depth + 1) for child in element if local_name(child)]
    return _with_fence(MathNode(tag, "", children), dict(element.attrib))


def format_html_formula(node: LexborNode) -> str:
    """Return the formula of a `math` element of a web page or an EPUB."""
    return format_formula(_of_html(node))


def _of_html(node: LexborNode, depth: int = 0) -> MathNode:
    tag = (node.tag or "").rpartition(":")[2]
    if depth > MAX_DEPTH:
        return MathNode("none")
    if tag in _LEAVES:
        return MathNode(tag, node.text())
    children = [
        _of_html(child, depth + 1)
        for child in node.iter()
        if not (child.tag or "-").startswith(("-", "!"))
    ]
    return _with_fence(MathNode(tag, "", children), node.attributes)


def _with_fence(node: MathNode, attributes: object) -> MathNode:
    if node.tag == "mfenced" and isinstance(attributes, dict):
        node.before = str(attributes.get("open", "("))
        node.after = str(attributes.get("close", ")"))
        node.separator = str(attributes.get("separators", ","))[:1]
    if node.tag not in _SHAPES or len(node.children) == _SHAPES[node.tag]:
        return node
    return MathNode("mrow", "", node.children)


def format_omml(element: etree._Element) -> str:
    """Return the formula of an `oMath` element of a Word document."""
    return format_formula(_of_omml(element))


_OMML_SHAPES = {
    "f": ("mfrac", "num", "den"),
    "sSup": ("msup", "e", "sup"),
    "sSub": ("msub", "e", "sub"),
    "sSubSup": ("msubsup", "e", "sub", "sup"),
    "limLow": ("munder", "e", "lim"),
    "limUpp": ("mover", "e", "lim"),
}


def _of_omml(element: etree._Element, depth: int = 0) -> MathNode:
    tag = local_name(element)
    if depth > MAX_DEPTH:
        return MathNode("none")

    def part(name: str) -> MathNode:
        found = next((child for child in element if local_name(child) == name), None)
        return MathNode("none") if found is None else _of_omml(found, depth + 1)

    def parts(name: str) -> list[MathNode]:
        return [_of_omml(child, depth + 1) for child in element if local_name(child) == name]

    if tag == "r":
        text = "".join(child.text or "" for child in element if local_name(child) == "t")
        return MathNode(
            "mo" if len(text.strip()) == 1 and not text.strip().isalnum() else "mi", text
        )
    if tag == "f" and _property(element, "type", "") == "noBar":
        return MathNode("choose", "", [part("num"), part("den")])
    if tag in _OMML_SHAPES:
        shape, *names = _OMML_SHAPES[tag]
        return MathNode(shape, "", [part(name) for name in names])
    if tag == "rad":
        degree = part("deg")
        children = [part("e"), degree] if format_formula(degree) else [part("e")]
        return MathNode("mroot" if len(children) == 2 else "msqrt", "", children)
    if tag == "nary":
        operator = MathNode("mo", _property(element, "chr", "∫"))
        big = MathNode("munderover", "", [operator, part("sub"), part("sup")])
        return MathNode("applied", "", [big, part("e")])
    if tag == "d":
        before, after = _property(element, "begChr", "("), _property(element, "endChr", ")")
        separator = _property(element, "sepChr", "|")
        return MathNode("mfenced", "", parts("e"), before, after, f" {separator}")
    if tag == "func":
        return MathNode("applied", "", [part("fName"), part("e")])
    if tag in ("acc", "bar"):
        default = {"acc": "\u0302", "bar": "¯"}[tag]
        accent = MathNode("mo", _property(element, "chr", default))
        return MathNode("mover", "", [part("e"), accent])
    if tag == "sPre":
        scripts = MathNode("msubsup", "", [MathNode("mrow"), part("sub"), part("sup")])
        return MathNode("mrow", "", [scripts, part("e")])
    if tag == "m":
        return MathNode("mtable", "", parts("mr"))
    if tag == "mr":
        return MathNode("mtr", "", parts("e"))
    if tag == "eqArr":
        return MathNode("lines", "", parts("e"))
    if tag.endswith("Pr"):
        return MathNode("none")
    inside = [_of_omml(child, depth + 1) for child in element if local_name(child)]
    return MathNode("mrow", "", inside)


def _property(element: etree._Element, name: str, default: str) -> str:
    """Return a property of an element; it may be present and empty."""
    for properties in element:
        if not local_name(properties).endswith("Pr"):
            continue
        for one in properties:
            if local_name(one) == name:
                return local_attribute(one, "val")
    return default
