"""Small files with pictures in them: PDFs with drawings, and every format whose text flows."""

from __future__ import annotations

import base64
import io
import zipfile
import zlib
from collections.abc import Mapping, Sequence

from PIL import Image

LINE = "The text of the page goes on in this line without any end of its own"


def draw_picture(width: int = 200, height: int = 150, shade: int = 90, kind: str = "PNG") -> bytes:
    """Return a picture with a lighter square in it."""
    image = Image.new("RGB", (width, height), (shade, 120, 160))
    image.paste((240, 240, 200), (width // 4, height // 4, width // 2, height // 2))
    out = io.BytesIO()
    image.save(out, kind)
    return out.getvalue()


def write(text: str, x: float, y: float, size: float = 10) -> str:
    return f"BT /F1 {size} Tf {x} {y} Td ({text}) Tj ET\n"


def prose(y: float, n_lines: int, x: float = 72) -> str:
    """Return lines of running text below each other."""
    return "".join(write(LINE, x, y - 13 * n) for n in range(n_lines))


def plot(x: float, y: float, width: float, height: float) -> str:
    """Return a frame with a line in it."""
    return (
        f"{x} {y} {width} {height} re S\n"
        f"{x} {y} m {x + width / 2} {y + height} l {x + width} {y + height / 2} l S\n"
    )


def image(x: float, y: float, width: float, height: float) -> str:
    return f"q {width} 0 0 {height} {x} {y} cm /Im0 Do Q\n"


def make_pdf(
    pages: Sequence[str], *, pixels: tuple[int, int] = (120, 110), rotate: int = 0,
    stream: bytes | None = None,
) -> bytes:  # fmt: skip
    """Return a PDF of 612 by 792 points with these contents of pages.

    Args:
        pixels: size of the picture `Im0`.
        stream: its bytes, if they are not whole.
    """
    width, height = pixels
    data = zlib.compress(bytes(3 * width * height)) if stream is None else stream
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"",
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        b"<< /Type /XObject /Subtype /Image /Width %d /Height %d /ColorSpace /DeviceRGB"
        b" /BitsPerComponent 8 /Filter /FlateDecode /Length %d >>\nstream\n%s\nendstream"
        % (width, height, len(data), data),
    ]
    kids = []
    for content in pages:
        body = content.encode("latin-1")
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(body), body))
        kids.append(len(objects) + 1)
        objects.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Rotate %d /Contents %d 0 R"
            b" /Resources << /Font << /F1 3 0 R >> /XObject << /Im0 4 0 R >> >> >>"
            % (rotate, len(objects))
        )
    objects[1] = b"<< /Type /Pages /Kids [%s] /Count %d >>" % (
        b" ".join(b"%d 0 R" % kid for kid in kids),
        len(kids),
    )
    out = b"%PDF-1.4\n"
    offsets = []
    for number, body in enumerate(objects, 1):
        offsets.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    return out + b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF" % (
        len(objects) + 1,
        start,
    )


def make_zip(members: Mapping[str, bytes | str]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return out.getvalue()


def make_epub(body: str, pictures: Mapping[str, bytes]) -> bytes:
    """Return a book with one chapter in `text/`, and pictures in `images/`."""
    items = "".join(
        f'<item id="p{n}" href="images/{name}" media-type="image/png"/>'
        for n, name in enumerate(pictures)
    )
    return make_zip(
        {
            "mimetype": "application/epub+zip",
            "META-INF/container.xml": '<container><rootfiles><rootfile full-path="OPS/book.opf"/>'
            "</rootfiles></container>",
            "OPS/book.opf": '<package><metadata><title>A book</title><meta name="cover"'
            ' content="p0"/></metadata><manifest><item id="c" href="text/one.xhtml"'
            f' media-type="application/xhtml+xml"/>{items}</manifest>'
            '<spine><itemref idref="c"/></spine></package>',
            "OPS/text/one.xhtml": f"<html><body>{body}</body></html>",
            **{f"OPS/images/{name}": content for name, content in pictures.items()},
        }
    )


W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
A = "http://schemas.openxmlformats.org/drawingml/2006/main"
WP = "http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"


def make_docx(paragraphs: Sequence[str], picture: bytes) -> bytes:
    """Return a Word document; "*" is a paragraph with the picture."""
    drawing = (
        '<w:r><w:drawing><wp:inline><wp:docPr id="1" descr="A chart of tides"/><a:graphic>'
        '<a:blip r:embed="rId7"/></a:graphic></wp:inline></w:drawing></w:r>'
    )
    body = "".join(
        f"<w:p>{drawing if text == '*' else f'<w:r><w:t>{text}</w:t></w:r>'}</w:p>"
        for text in paragraphs
    )
    return make_zip(
        {
            "word/document.xml": f'<w:document xmlns:w="{W}" xmlns:r="{R}" xmlns:a="{A}"'
            f' xmlns:wp="{WP}"><w:body>{body}</w:body></w:document>',
            "word/_rels/document.xml.rels": '<Relationships><Relationship Id="rId7"'
            f' Type="{R}/image" Target="media/tides.png"/></Relationships>',
            "word/media/tides.png": picture,
        }
    )


def make_odt(picture: bytes) -> bytes:
    """Return a text with a picture in a frame, and its caption in the same text box."""
    return make_zip(
        {
            "mimetype": "application/vnd.oasis.opendocument.text",
            "content.xml": '<o:document-content xmlns:o="o" xmlns:text="t" xmlns:draw="d"'
            ' xmlns:xlink="x"><o:body><o:text><text:p>Before the picture.</text:p><text:p>'
            '<draw:frame><draw:text-box><text:p><draw:frame><draw:image xlink:href="Pictures/a.png"'
            "/></draw:frame>Figure 2: The harbour wall</text:p></draw:text-box></draw:frame>"
            "</text:p><text:p>After it.</text:p></o:text></o:body></o:document-content>",
            "Pictures/a.png": picture,
        }
    )


def make_pptx(picture: bytes) -> bytes:
    """Return a presentation with two slides, and the picture with its caption on the second."""
    import pptx
    from pptx.util import Inches

    made = pptx.Presentation()
    blank = made.slide_layouts[6]
    first, second = made.slides.add_slide(blank), made.slides.add_slide(blank)
    first.shapes.add_textbox(0, 0, Inches(4), Inches(1)).text_frame.text = "Tides of the coast"
    second.shapes.add_picture(io.BytesIO(picture), 0, 0)
    box = second.shapes.add_textbox(0, Inches(5), Inches(4), Inches(1))
    box.text_frame.text = "Fig. 4: The lighthouse at Petrel Rock"
    out = io.BytesIO()
    made.save(out)
    return out.getvalue()


def make_picture_deck(pictures: Sequence[bytes]) -> bytes:
    """Return a presentation of slides with nothing but a picture each, as of scanned slides."""
    import pptx

    made = pptx.Presentation()
    for picture in pictures:
        made.slides.add_slide(made.slide_layouts[6]).shapes.add_picture(io.BytesIO(picture), 0, 0)
    out = io.BytesIO()
    made.save(out)
    return out.getvalue()


def make_html(picture: bytes) -> str:
    """Return a page with a picture written into it, another one beside it, and an icon."""
    inside = base64.b64encode(picture).decode()
    icon = base64.b64encode(draw_picture(16, 16)).decode()
    return (
        "<!DOCTYPE html><html><body><p>Before.</p>"
        f'<img src="data:image/png;base64,{icon}">'
        f'<figure><img src="data:image/png;base64,{inside}" alt="A map">'
        "<figcaption>The bay in <i>winter</i>, seen from the north</figcaption></figure>"
        '<p>After.</p><img src="page_files/other.png"></body></html>'
    )


def make_mht(picture: bytes) -> bytes:
    page = (
        '<html><body><p>Before.</p><img src="http://a.example/bay.png"><p>图3 海湾</p>'
        '<img src="cid:rock@a"></body></html>'
    )
    return (
        b"From: <Saved by Test>\r\nMIME-Version: 1.0\r\n"
        b'Content-Type: multipart/related; boundary="b"\r\n\r\n'
        b"--b\r\nContent-Type: text/html; charset=utf-8\r\n\r\n" + page.encode()
        + b"\r\n--b\r\nContent-Type: image/png\r\nContent-Transfer-Encoding: base64\r\n"
        b"Content-Location: http://a.example/bay.png\r\n\r\n" + base64.encodebytes(picture)
        + b"\r\n--b\r\nContent-Type: image/png\r\nContent-Transfer-Encoding: base64\r\n"
        b"Content-ID: <rock@a>\r\n\r\n" + base64.encodebytes(draw_picture(140, 140))
        + b"\r\n--b--\r\n"
    )  # fmt: skip


def make_xlsx(picture: bytes) -> bytes:
    """Return a workbook: a picture beside a table, below its caption; one above; one alone."""
    import openpyxl
    from openpyxl.drawing.image import Image as SheetImage

    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "Tides"
    for row in (["Port", "Height"], ["Harwich", 3.4], ["Ningbo", 2.1], []):
        sheet.append(row)
    sheet.append(["Figure 1: Heights at Harwich"])
    sheet.add_image(SheetImage(io.BytesIO(picture)), "A6")
    sheet.add_image(SheetImage(io.BytesIO(draw_picture(140, 120))), "A22")  # over six rows
    sheet.cell(29, 1).value = "Figure 2: The gauge"
    sheet.cell(30, 1).value = "It was read twice a day."
    sheet.add_image(SheetImage(io.BytesIO(draw_picture(150, 120))), "A60")
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def make_fb2(picture: bytes) -> bytes:
    """Return a book with a cover, a picture with a title, one with a caption below, and one."""
    names = ("cover.png", "bay.png", "mill.png", "rock.png")
    pictures = [picture, picture, draw_picture(150, 120), draw_picture(140, 120)]
    binaries = b"".join(
        b'<binary content-type="image/png" id="%s">\n%s</binary>'
        % (name.encode(), base64.encodebytes(content))
        for name, content in zip(names, pictures, strict=True)
    )
    return (
        b'<?xml version="1.0" encoding="utf-8"?><FictionBook xmlns="f" xmlns:l="x"><description>'
        b"<title-info><book-title>The Mill</book-title><coverpage>"
        b'<image l:href="#cover.png"/></coverpage></title-info></description><body><section>'
        b"<title><p>First</p></title><p>Clara Wren came to the mill.</p>"
        b'<image l:href="#bay.png" alt="A bay" title="The bay in winter"/>'
        b'<p>It rained.</p><p><image l:href="#mill.png"/></p><p>Figure 3. The mill</p>'
        b'<p>She left.</p><image l:href="#rock.png"/><image l:href="#gone.png"/>'
        b"<p>It was late.</p></section></body>" + binaries + b"</FictionBook>"
    )
