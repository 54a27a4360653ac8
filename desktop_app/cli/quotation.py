"""The command `quotation`: finds where a quotation stands, although it may differ from the text."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from .command_context import choose_documents, open_library, show
from .search import count

if TYPE_CHECKING:
    from ..engine.services.quotation_search import QuotationPlace

WORDINGS = {"exact": "exact", "small": "small differences", "similar": "similar wording"}
LEGEND = "[-only in the quotation-] {+only in the document+}"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("quotation", help="a sentence or more; “…” stands for any words")
    parser.add_argument(
        "--document",
        action="append",
        default=[],
        help="only in this title or file name; may be repeated",
    )
    parser.add_argument("--top", type=count, default=10, help="number of places")


def run(options: argparse.Namespace) -> int:
    """Print the places, with the differences from the quotation marked."""
    from ..engine.services.quotation_search import find_quotation

    with open_library(options) as library:
        inside = choose_documents(library, options.document)
        places = find_quotation(library.writer, options.quotation, options.top, inside)
    lines = [_describe(number, place) for number, place in enumerate(places, start=1)]
    if any(place.wording != "exact" for place in places):
        lines.append(LEGEND)
    show({"places": places}, lines or ["This quotation was not found."], options.json)
    return 0


def _describe(number: int, place: QuotationPlace) -> str:
    page = f"p. {place.page}" if place.page else f"at {place.share:.0%}"
    where = " · ".join(part for part in (place.title, page, place.chapter) if part)
    wording = WORDINGS[place.wording]
    if place.wording != "exact":
        wording += f", {place.found:.0%} of it"
    return f"{number}. {where} ({wording})\n   {mark_differences(place)}"


def mark_differences(place: QuotationPlace) -> str:
    """Return the passage with its differences from the quotation marked as wdiff does."""
    from ..engine.services.quotation_search import list_pieces

    signs = {"quoted": "[-{}-]", "there": "{{+{}+}}", "around": ""}
    marked = (signs.get(kind, "{}").format(text) for kind, text in list_pieces(place))
    return "".join(marked).strip()
