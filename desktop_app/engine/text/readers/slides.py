"""Reader of PowerPoint presentations (.pptx): a slide is a page with a heading; its notes follow.

python-pptx reads the slides; formulas, which it does not know, are read from its XML.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from io import BytesIO
from typing import Any

from ...errors import AppError
from ...messages import Message
from ...model import ReadDocument
from ...progress import CancelToken
from ..document_notes import note_hidden_slide
from .archives import Archive, Unreadable, local_attribute, local_name, parse_xml
from .cell_spans import merge_ranges
from .charts import read_chart
from .document_builder import build_document, clean_author, clean_title
from .flow_figures import HEAD_BYTES, PictureMark, build_figures
from .formulas import format_omml
from .strict_ooxml import load_transitional
from .tables import clean_cell, format_tables
from .text_builder import TextBuilder

_MAX_DEPTH = 50  # of groups
_MAIN_WITH_MACROS = (  # that python-pptx has no class for
    "application/vnd.ms-powerpoint.slideshow.macroEnabled.main+xml",
    "application/vnd.ms-powerpoint.template.macroEnabled.main+xml",
)
_SAVE_AGAIN = Message("Open it in PowerPoint or LibreOffice and save it again.")


def read_pptx(
    content: bytes,
    stem: str,
    cancel: CancelToken | None = None,
    on_page: Callable[[int, int], None] | None = None,
) -> ReadDocument:
    """Return the text of all slides with their notes.

    Raises:
        Unreadable: it is damaged or has no text.
        Cancelled: the token was set.
    """
    archive = Archive(content)
    known = load_transitional(content, archive, "ppt/presentation.xml")
    try:
        presentation = _open_presentation(known)
        slides = list(presentation.slides)
    except (AppError, MemoryError):
        raise
    except Exception as error:  # python-pptx raises what its parts raise
        raise Unreadable("its list of slides is damaged.", _SAVE_AGAIN) from error
    builder = TextBuilder()
    notes: list[Message] = []
    marks: list[PictureMark] = []
    for number, slide in enumerate(slides, 1):
        if cancel is not None:
            cancel.check()
        builder.begin_page(str(number))
        try:
            _add_slide(builder, slide, marks)
        except (AppError, MemoryError):
            raise
        except Exception:
            notes.append(Message("Slide {n} is damaged and not whole.", n=number))
        if slide.element.get("show") == "0":
            notes.append(note_hidden_slide(number))
        if on_page is not None:
            on_page(number, len(slides))
    builder.end_page()
    figures, figure_notes = build_figures(
        builder.text, marks, lambda path: archive.read_head(path, HEAD_BYTES), builder.pages
    )
    core = presentation.core_properties
    title, author, year = _read_core(core)
    return build_document(
        builder.text,
        format="pptx",
        stem=stem,
        title=clean_title(title) or (builder.headings[0].title if builder.headings else ""),
        author=clean_author(author),
        year=year,
        outline=builder.headings,
        pages=builder.pages,
        notes=[*notes, *figure_notes],
        figures=figures,
    )


def _open_presentation(content: bytes) -> Any:
    """Return an open presentation: a plain one, a show or a template, with macros or without.

    `pptx.Presentation` refuses shows and templates, whose parts are those of a presentation.
    """
    import pptx  # noqa: F401 - its parts get their classes
    from pptx.opc.package import PartFactory
    from pptx.package import Package
    from pptx.parts.presentation import PresentationPart

    PartFactory.part_type_for.update(dict.fromkeys(_MAIN_WITH_MACROS, PresentationPart))
    return Package.open(BytesIO(content)).main_document_part.presentation


def _read_core(core: Any) -> tuple[str, str, str]:
    """Return title, author and year of the properties, which may be damaged."""
    try:
        # the template of python-pptx is of 2013
        year = str(core.created.year) if core.created is not None else ""
        is_template = core.last_modified_by == "Steve Canny" and year == "2013"
        return core.title, "" if is_template else core.author, "" if is_template else year
    except (ValueError, AttributeError, KeyError, TypeError):
        return "", "", ""


def _add_slide(builder: TextBuilder, slide: Any, marks: list[PictureMark]) -> None:
    title = slide.shapes.title
    if title is not None and title.has_text_frame:
        builder.add_heading(1, clean_cell(title.text_frame.text))
    for shape in _iter_shapes(slide.shapes):
        if title is not None and shape.shape_id == title.shape_id:
            continue
        if (mark := _find_picture(shape, slide, builder)) is not None:
            marks.append(mark)
        if getattr(shape, "has_table", False):
            rows, ranges = [], []
            for number, row in enumerate(shape.table.rows):
                rows.append([clean_cell(cell.text) for cell in row.cells])
                ranges += [
                    (number, column, number + cell.span_height - 1, column + cell.span_width - 1)
                    for column, cell in enumerate(row.cells)
                    if cell.is_merge_origin
                ]
            merge_ranges(rows, ranges)
            for lines in format_tables(rows):
                builder.add_rows(lines)
        elif getattr(shape, "has_chart", False):
            for lines in format_tables(read_chart(parse_xml(shape.chart.part.blob, "chart"))):
                builder.add_rows(lines)
        elif shape.has_text_frame:
            builder.add("\n\n".join(_read_paragraphs(shape.text_frame._txBody)))
        else:
            builder.add("\n\n".join(_read_smart_art(shape, slide)))
    if slide.has_notes_slide and slide.notes_slide.notes_text_frame is not None:
        builder.add("\n\n".join(_read_paragraphs(slide.notes_slide.notes_text_frame._txBody)))


def _iter_shapes(shapes: Iterable[Any], depth: int = 0) -> Iterator[Any]:
    for shape in shapes:
        if hasattr(shape, "shapes") and depth < _MAX_DEPTH:  # a group
            yield from _iter_shapes(shape.shapes, depth + 1)
        else:
            yield shape


def _find_picture(shape: Any, slide: Any, builder: TextBuilder) -> PictureMark | None:
    """Return the picture of a shape, None if it has none."""
    if local_name(shape.element) != "pic":
        return None
    alt = relation = ""
    for element in shape.element.iter():
        if local_name(element) == "cNvPr":
            alt = alt or element.get("descr") or ""
        elif local_name(element) == "blip" and not relation:
            relation = local_attribute(element, "embed")
    try:
        path = str(slide.part.related_part(relation).partname).lstrip("/")
    except (KeyError, ValueError):
        return None
    return PictureMark(path, builder.next_start, alt, page_index=builder.page_index)


def _read_paragraphs(body: Any) -> list[str]:
    """Return the paragraphs of a text, with formulas as lines of text."""
    found: list[str] = []
    for paragraph in body.iter():
        if local_name(paragraph) != "p" or "drawingml" not in str(paragraph.tag):
            continue
        parts: list[str] = []
        for element in paragraph.iter():
            name = local_name(element)
            in_formula = any(local_name(a) == "oMath" for a in element.iterancestors())
            if name == "oMath" and not in_formula:
                parts.append(f" {format_omml(element)} ")
            elif name == "t" and not in_formula:
                parts.append(element.text or "")
            elif name == "br":
                parts.append("\n")
            elif name == "tab":
                parts.append(" ")
        lines = ("".join(parts)).replace("\v", "\n").split("\n")
        text = "\n".join(filter(None, (clean_cell(line) for line in lines)))
        if text:
            found.append(text)
    return found


def _read_smart_art(shape: Any, slide: Any) -> list[str]:
    """Return the texts of a diagram (SmartArt), which lie in a part of their own."""
    for element in shape.element.iter():
        if local_name(element) != "relIds":
            continue
        found = next((v for k, v in element.attrib.items() if k.endswith("}dm")), "")
        root = parse_xml(slide.part.related_part(found).blob, "diagram")
        points = (e for e in root.iter() if local_name(e) == "t" and len(e))
        return [line for point in points for line in _read_paragraphs(point)]
    return []
