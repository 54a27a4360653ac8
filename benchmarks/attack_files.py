"""Makes the attack files of `hostile`, which tests use too: small, deterministic, made here."""

from __future__ import annotations

import gzip
import io
import os
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from .format_files import make_huffman, make_mobi, make_odf


def make_pdf(contents: list[bytes], form: bytes) -> bytes:
    """Return a PDF with one page per content; /X is a form that may call itself, /F1 a font."""
    n_pages = len(contents)
    kids = b" ".join(b"%d 0 R" % (5 + 2 * i) for i in range(n_pages))
    resources = b"/Resources<</Font<</F1 4 0 R>>/XObject<</X 3 0 R>>>>"
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[%s]/Count %d>>" % (kids, n_pages),
        make_stream(b"/Type/XObject/Subtype/Form/BBox[0 0 612 792]" + resources, form),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    ]
    for i, content in enumerate(contents):
        box = b"/MediaBox[0 0 612 792]/Contents %d 0 R" % (6 + 2 * i)
        objects.append(b"<</Type/Page/Parent 2 0 R" + box + resources + b">>")
        is_packed = content.startswith(b"x\xda")
        filters = b"/Filter[/FlateDecode/FlateDecode]" if is_packed else b""
        objects.append(make_stream(filters, content))
    out, offsets = b"%PDF-1.4\n", []
    for number, one in enumerate(objects, 1):
        offsets.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, one)
    table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    end = b"trailer\n<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF" % (len(objects) + 1, len(out))
    return out + b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1) + table + end


def make_stream(entries: bytes, content: bytes) -> bytes:
    return b"<<%s/Length %d>>\nstream\n%s\nendstream" % (entries, len(content), content)


def show(text: bytes) -> bytes:
    return b"BT /F1 12 Tf 72 700 Td (%s) Tj ET\n" % text


def make_self_calling_pdf() -> bytes:
    return make_pdf([b"/X Do"], b"/X Do " * 6 + show(b"tide"))


def make_endless_pdf() -> bytes:
    """Return a PDF with a good first page; the second takes longer than anybody waits."""
    return make_pdf([show(b"The tide came in."), b"/X Do"], b"/X Do /X Do")


def make_flate_bomb() -> bytes:
    """Return a small PDF whose page has 400 MB of blanks, compressed twice."""
    packer, blanks = zlib.compressobj(9), b" " * 1_000_000
    packed = b"".join(packer.compress(blanks) for _ in range(400)) + packer.flush()
    return make_pdf([zlib.compress(packed, 9)], b"")


def make_workbook(cells: str, head: str = "") -> bytes:
    """Return an Excel workbook whose sheet has these cells."""
    kind = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    related = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    package = "http://schemas.openxmlformats.org/package/2006"
    office = "application/vnd.openxmlformats-officedocument.spreadsheetml"
    relation = (
        '<Relationships xmlns="{}/relationships"><Relationship Id="r" Type="{}" Target="{}"/>'
        "</Relationships>"
    )
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{package}/content-types">'
        f'<Override PartName="/xl/workbook.xml" ContentType="{office}.sheet.main+xml"/></Types>',
        "_rels/.rels": relation.format(package, f"{related}/officeDocument", "xl/workbook.xml"),
        "xl/workbook.xml": f'<workbook xmlns="{kind}"><sheets><sheet name="a" sheetId="1" '
        f'r:id="r" xmlns:r="{related}"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": relation.format(
            package, f"{related}/worksheet", "worksheets/a.xml"
        ),
        "xl/worksheets/a.xml": f'{head}<worksheet xmlns="{kind}"><dimension ref="A1:XFD1048576"/>'
        f'<sheetData><row r="1"><c r="A1">{cells}</c></row></sheetData></worksheet>',
    }
    return make_zip((name, text.encode()) for name, text in parts.items())


def make_empty_cells() -> bytes:
    """Return a workbook with three million cells that have nothing in them."""
    return make_workbook("<v>1</v></c>" + "<c/>" * (3 * MB) + "<c>")


def make_repeated_cells() -> bytes:
    """Return a sheet in which one text stands in billions of cells."""
    return make_odf(
        "spreadsheet",
        '<office:spreadsheet><table:table><table:table-row table:number-rows-repeated="1000000">'
        '<table:table-cell table:number-columns-repeated="1000000"><text:p>The tide came in.'
        "</text:p></table:table-cell></table:table-row></table:table></office:spreadsheet>",
        "",
    )


def make_self_calling_book() -> bytes:
    """Return a Kindle book with a phrase that consists of itself, twice."""
    tables = make_huffman([(b"\xff\xff", False)])
    return make_mobi("\x00\x00", compression=17480, more=tables)


def make_nested_letter() -> bytes:
    """Return a letter whose parts are nested very deep."""
    head = b"Subject: a\nContent-Type: multipart/mixed; boundary=%d\n\n--%d\n"
    part = b"Content-Type: multipart/mixed; boundary=%d\n\n--%d\n"
    return head % (0, 0) + b"".join(part % (n, n) for n in range(1, 20_000)) + b"\nx"


def make_linked_tar() -> bytes:
    """Return an archive with links to files outside, and one with itself."""
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as archive:
        for name, kind, target in (
            ("a.txt", tarfile.SYMTYPE, "/etc/passwd"),
            ("b.txt", tarfile.LNKTYPE, "../../etc/passwd"),
            ("c.txt", tarfile.SYMTYPE, "c.txt"),
            ("d.txt", tarfile.CHRTYPE, ""),
        ):
            member = tarfile.TarInfo(name)
            member.type = kind
            archive.addfile(member.replace(linkname=target))
    return stream.getvalue()


def make_7z(parts: dict[str, bytes]) -> bytes:
    import py7zr

    stream = io.BytesIO()
    with py7zr.SevenZipFile(stream, "w") as archive:
        for name, inside in parts.items():
            archive.writestr(inside, name)
    return stream.getvalue()


# --- the attacks ----------------------------------------------------------------------------------

WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
MB = 1_000_000


@dataclass(frozen=True)
class Attack:
    """One attack file.

    Attributes:
        name: of the file.
        make: writes the file at a path, or makes a folder, a link or a pipe there.
        how: "add" to the library, "import" as a graph, show the first "page", load as "model",
            open as "library".
    """

    name: str
    make: Callable[[Path], None]
    how: str = "add"


def content(made: Callable[[], bytes | str]) -> Callable[[Path], None]:
    """Return a maker that writes what a function returns."""

    def write(path: Path) -> None:
        found = made()
        path.write_bytes(
            found.encode("utf-8", "surrogatepass") if isinstance(found, str) else found
        )

    return write


def make_zip(parts: Iterable[tuple[str, bytes]]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, inside in parts:
            archive.writestr(name, inside)
    return stream.getvalue()


def make_docx(body: str, head: str = "") -> bytes:
    text = f'{head}<w:document xmlns:w="{WORD}"><w:body>{body}</w:body></w:document>'
    return make_zip([("word/document.xml", text.encode())])


def make_epub(chapter: str, spine: str = '<itemref idref="a"/>', more: str = "") -> bytes:
    package = (
        '<package><manifest><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/>'
        f"{more}</manifest><spine>{spine}</spine></package>"
    )
    return make_zip(
        [
            ("META-INF/container.xml", b'<container><rootfile full-path="b.opf"/></container>'),
            ("b.opf", package.encode()),
            ("a.xhtml", f"<html><body>{chapter}</body></html>".encode()),
        ]
    )


def make_raw_pdf(*objects: bytes, trailer: bytes = b"/Root 1 0 R") -> bytes:
    """Return a PDF of these objects, numbered from 1, without a table of them."""
    body = b"".join(b"%d 0 obj%s endobj\n" % pair for pair in enumerate(objects, 1))
    return b"%PDF-1.5\n" + body + b"trailer<<" + trailer + b">>"


def make_packed_page(text: bytes, times: int) -> bytes:
    """Return a PDF whose page has a text many times, compressed twice."""
    packer = zlib.compressobj(9)
    packed = b"".join(packer.compress(text) for _ in range(times)) + packer.flush()
    return make_pdf([zlib.compress(packed, 9)], b"")


def make_nested_forms() -> bytes:
    """Return a PDF of 20 forms, each showing the next one ten times."""
    forms = []
    for level in range(20):
        show_next = b"/X Do " * 10 if level < 19 else show(b"tide")
        names = b"/Resources<</XObject<</X %d 0 R>>/Font<</F1 4 0 R>>>>" % (6 + level)
        forms.append(make_stream(b"/Type/XObject/Subtype/Form/BBox[0 0 9 9]" + names, show_next))
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 26 0 R"
    return make_raw_pdf(
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        page + b"/Resources<</XObject<</X 5 0 R>>>>>>",
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
        *forms,
        b"null",
        make_stream(b"", b"/X Do"),
    )


def make_image_pdf(width: int, height: int) -> bytes:
    """Return a PDF whose page shows a bitmap of this size, in a few bytes."""
    pixels = zlib.compress(zlib.compress(bytes(50 * MB), 9), 9)
    image = (
        b"/Type/XObject/Subtype/Image/ColorSpace/DeviceRGB/BitsPerComponent 8/Width %d/Height %d"
    )
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 5 0 R"
    return make_raw_pdf(
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        page + b"/Resources<</XObject<</X 4 0 R>>>>>>",
        make_stream(image % (width, height) + b"/Filter[/FlateDecode/FlateDecode]", pixels),
        make_stream(b"", b"600 0 0 700 0 0 cm /X Do"),
    )


def make_bomb() -> bytes:
    """Return an EPUB whose chapter unpacks to 2 GB."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("META-INF/container.xml", b'<rootfile full-path="b.opf"/>')
        with archive.open("b.opf", "w", force_zip64=True) as member:
            for _ in range(2_000):
                member.write(bytes(MB))
    return stream.getvalue()


def make_lying_zip() -> bytes:
    """Return a DOCX whose directory says that its text has one byte."""
    text = b"<w:t>" + b"a" * (5 * MB)
    made = bytearray(make_zip([("word/document.xml", text)]))
    at = made.rindex(b"PK\x01\x02")
    made[at + 24 : at + 28] = struct.pack("<I", 1)
    return bytes(made)


def make_laughs(use: str) -> str:
    """Return a document type whose entity &a9; unpacks to a gigabyte."""
    lines = ['<!ENTITY a0 "haha haha">']
    lines += [f'<!ENTITY a{i} "{f"&a{i - 1};" * 10}">' for i in range(1, 10)]
    return f"<!DOCTYPE {use} [{''.join(lines)}]>"


def make_table(folder: Path, query: str) -> None:
    """Write GraphRAG's tables, with relations that unpack to far more than they take."""
    import duckdb

    folder.mkdir()
    with duckdb.connect(":memory:") as connection:
        for name, one in (("entities", "SELECT 'Clara' AS title"), ("relationships", query)):
            path = folder / f"{name}.parquet"
            connection.execute(f"COPY ({one}) TO '{path}' (FORMAT parquet, COMPRESSION zstd)")


def make_cut_table(folder: Path) -> None:
    make_table(folder, "SELECT 'a' AS source, 'b' AS target FROM range(1000)")
    path = folder / "relationships.parquet"
    path.write_bytes(path.read_bytes()[:-30])


def make_gguf(pairs: bytes, n_pairs: int = 1) -> bytes:
    return b"GGUF" + struct.pack("<IQQ", 3, 0, n_pairs) + pairs


def gguf_key(name: bytes, kind: int) -> bytes:
    return struct.pack("<Q", len(name)) + name + struct.pack("<I", kind)


def make_library(path: Path, *, keep: float = 1.0, flip: bool = False) -> None:
    """Write an empty library, cut or damaged."""
    from desktop_app.engine.services.library import Library

    source = path.with_name("made.inkgraph")
    Library(source).close()
    made = bytearray(source.read_bytes())
    source.unlink()
    if flip:
        for at in range(100, len(made), 97):
            made[at] ^= 0x5A
    path.write_bytes(made[: int(len(made) * keep)])


GOOD_TEXT = "The tide came in. A clerk wrote letters to the miller of Harrow Lane."
NODES = "".join(f'<node id="{i}"/>' for i in range(300_000))
PDF_LOOP = make_raw_pdf(
    b"<</Type/Catalog/Pages 2 0 R/Outlines 3 0 R>>",
    b"<</Type/Pages/Kids[2 0 R 4 0 R]/Count 2>>",
    b"<</Type/Outlines/First 5 0 R/Last 5 0 R>>",
    b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]>>",
    b"<</Title(Loop)/Parent 3 0 R/Next 5 0 R/First 5 0 R/Dest[4 0 R /Fit]>>",
)


def make_box(box: bytes) -> bytes:
    return make_pdf([show(b"tide")], b"").replace(b"[0 0 612 792]", box)


ATTACKS = (
    # texts and Markdown
    Attack("comments.md", content(lambda: "<!-- a -->" * 30 + "x")),
    Attack("open-comments.md", content(lambda: "<!--" * 200_000)),
    Attack("links.md", content(lambda: "[a](" * 20_000)),
    Attack("quotes.md", content(lambda: ">" * 500_000)),
    Attack("lists.md", content(lambda: "\n".join(" " * i + "- a" for i in range(700)))),
    Attack("headings.md", content(lambda: "# a\n\n" * 3_000)),
    Attack("front-matter.md", content(lambda: "---\n" + "a: [" * 10_000)),
    Attack("dots.txt", content(lambda: "." * 100_000)),
    Attack("ellipses.txt", content(lambda: "天" + "…" * 100_000)),
    Attack("one-word.txt", content(lambda: "a" * 200_000)),
    Attack("one-ideograph.txt", content(lambda: "天" * 100_000)),
    Attack("one-line.txt", content(lambda: "The tide. " * (11 * MB))),
    Attack("emoji.txt", content(lambda: "\U0001f468\u200d" * 50_000)),
    Attack("combining.txt", content(lambda: "e" + "\u0301" * 200_000)),
    Attack("nul.txt", content(lambda: bytes(20 * MB))),
    Attack("controls.txt", content(lambda: bytes(range(32)) * 10_000)),
    Attack("utf16.txt", content(lambda: b"\xff\xfe" + b"\x00\xd8" * 50_000)),
    Attack("gb18030.txt", content(lambda: b"\x81\x30\x81\x30\xff" * 20_000)),
    Attack("numbers.txt", content(lambda: "1. " * 10_000)),
    Attack("names.txt", content(lambda: " ".join(f"Ada{i} Byron{i}" for i in range(3_000)))),
    Attack("capitals.txt", content(lambda: "A. B. " * 5_000)),
    # HTML
    Attack("attributes.html", content(lambda: "<p " + " ".join(f"a{i}=1" for i in range(300_000)))),
    Attack("hidden-attributes.html",
           content(lambda: "<p " + " ".join(f"a<{i}=1" for i in range(300_000)) + ">x")),
    Attack("nested.html", content(lambda: "<div>" * 100_000 + "x")),
    Attack("long.html", content(lambda: "<p>A tide came in." * (6 * MB))),
    Attack("tables.html", content(lambda: "<table><tr><td>" * 50_000 + "x")),
    Attack("script.html", content(lambda: "<script>" + "a<b;" * (5 * MB) + "</script><p>x")),
    Attack("image.html", content(lambda: f"<p>x<img src='data:image/png;base64,{'A' * 20 * MB}'>")),
    Attack("charset.html", content(lambda: b"<meta charset=utf-7><p>+ADw-script+AD4-" * 1_000)),
    Attack("entities.html", content(lambda: "<p>" + "&NotEqualTilde;" * 30_000)),
    # tables
    Attack("wide.csv", content(lambda: ("," * 60_000 + "\n") * 100)),
    Attack("quote.csv", content(lambda: 'title,text\n"' + "a,\n" * (5 * MB))),
    Attack("cell.csv", content(lambda: "title,text\na," + "b " * (40 * MB))),
    Attack("rows.csv", content(lambda: "title,text\n" + "a,The tide came in.\n" * 300_000)),
    Attack("rows.jsonl", content(lambda: '{"text": "a"}\n' * 3_000)),
    Attack("deep.jsonl", content(lambda: '{"text": ' + "[" * 100_000 + "\n" + '{"text": "x"}')),
    Attack("number.jsonl", content(lambda: '{"text": ' + "9" * MB + '}\n{"text": "x"}')),
    Attack("halves.jsonl", content(lambda: '{"title": "\\udfff", "text": "a \\ud800 b"}\n' * 50)),
    # DOCX and EPUB
    Attack("paragraphs.docx", content(lambda: make_docx("<w:p/>" * (16 * MB)))),
    Attack("nested.docx", content(lambda: make_docx("<w:tbl><w:tr><w:tc>" * 20_000))),
    Attack("laughs.docx", content(lambda: make_docx("<w:p><w:r><w:t>&a9;", make_laughs("w")))),
    Attack("external.docx", content(
        lambda: make_docx("<w:p><w:r><w:t>&b;</w:t></w:r></w:p>",
                          '<!DOCTYPE w [<!ENTITY b SYSTEM "file:///etc/passwd">]>'))),
    Attack("lying.docx", content(make_lying_zip)),
    Attack("bomb.epub", content(make_bomb)),
    Attack("entries.epub",
           content(lambda: make_zip((f"{i}.txt", b"") for i in range(60_000)))),
    Attack("traversal.epub", content(
        lambda: make_zip([("../../../tmp/inkgraph-traversal", b"x"), ("/etc/x", b"x")]))),
    Attack("spine.epub", content(
        lambda: make_epub("<p>The tide.</p>" * 200, '<itemref idref="a"/>' * 6_000))),
    Attack("vectors.epub", content(lambda: make_epub("<svg>" * 100_000))),
    Attack("inside.epub", content(
        lambda: make_zip([("a.epub", make_zip([("b.epub", make_bomb())]))]))),
    Attack("no-package.epub", content(lambda: make_zip([("mimetype", b"application/epub+zip")]))),
    # office files, books, mail, archives
    Attack("cells.xlsx", content(make_empty_cells)),
    Attack("laughs.xlsx", content(lambda: make_workbook("<v>&a9;</v>", make_laughs("worksheet")))),
    Attack("repeated.ods", content(make_repeated_cells)),
    Attack("formula.odt", content(
        lambda: make_odf("text", "<office:text>" + "<text:span>" * 200 + "x", ""))),
    Attack("groups.rtf", content(lambda: b"{\\rtf1 " + b"{" * (5 * MB) + b"a")),
    Attack("links.rtf", content(
        lambda: b"{\\rtf1 " + b'{\\field{\\*\\fldinst{HYPERLINK "a"' * 30_000 + b"}")),
    Attack("sections.fb2", content(lambda: "<FictionBook>" + "<body><section>" * 100_000 + "x")),
    Attack("loop.mobi", content(make_self_calling_book)),
    Attack("formula.html", content(
        lambda: "<p>x<math>" + "<mi>a</mi><mo>=</mo>" * 200_000 + "</math>")),
    Attack("parts.eml", content(make_nested_letter)),
    Attack("header.eml", content(lambda: b"Subject: " + b"=?utf-8?q?a?= " * 500_000 + b"\n\nx")),
    Attack("letters.mbox", content(lambda: b"From a@b Mon\nSubject: a\n\nb\n\n" * 250_000)),
    Attack("deep.json", content(lambda: "[" * 100_000)),
    Attack("cues.srt", content(
        lambda: "".join(f"{n}\n0:{n // 60:02}:00,000 --> 0:{n // 60:02}:01,000\nThe tide.\n\n"
                        for n in range(1, 200_000)))),
    Attack("bomb.zip", content(lambda: make_zip([("a.txt", bytes(200 * MB))]))),
    Attack("inside.zip", content(
        lambda: make_zip([("a.zip", make_zip([("b.zip", make_bomb())]))]))),
    Attack("many.zip", content(lambda: make_zip((f"{n}.txt", b"a") for n in range(15_000)))),
    Attack("outside.zip", content(
        lambda: make_zip([("../../tmp/inkgraph-outside.txt", b"The tide came in.")]))),
    Attack("zeros.tar.gz", content(lambda: gzip.compress(bytes(300 * MB), 9))),
    Attack("links.tar", content(make_linked_tar)),
    Attack("bomb.7z", content(lambda: make_7z({"a.txt": bytes(200 * MB)}))),
    # PDF
    Attack("self-call.pdf", content(make_self_calling_pdf)),
    Attack("forms.pdf", content(make_nested_forms)),
    Attack("flate.pdf", content(make_flate_bomb)),
    Attack("flate-large.pdf", content(lambda: make_packed_page(b" " * MB, 3_000))),
    Attack("texts.pdf", content(lambda: make_packed_page(show(b"a") * 1_000, 2_000))),
    Attack("controls.pdf", content(lambda: make_pdf([show(b"\\002" * 200_000)], b""))),
    Attack("loop.pdf", content(lambda: PDF_LOOP)),
    Attack("million.pdf", content(lambda: PDF_LOOP.replace(b"/Count 2", b"/Count 1000000"))),
    Attack("box.pdf", content(lambda: make_box(b"[0 0 99999999 99999999]"))),
    Attack("endless.pdf", content(make_endless_pdf)),
    Attack("encrypted.pdf", content(lambda: make_raw_pdf(
        b"<</Type/Catalog>>", b"<</Filter/Standard/V 5/R 6/O()/U()/P -1>>",
        trailer=b"/Root 1 0 R/Encrypt 2 0 R"))),
    # other formats under a name that is read
    Attack("picture.txt", content(lambda: b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 20_000)),
    Attack("picture.pdf", content(lambda: b"GIF89a" + b"\xff" * MB)),
    Attack("packed.epub", content(lambda: gzip.compress(bytes(200 * MB), 9))),
    Attack("library.txt", lambda path: make_library(path)),
    Attack("model.txt", content(lambda: make_gguf(bytes(5 * MB)))),
    # no regular files, and names
    Attack("pipe.txt", lambda path: os.mkfifo(path)),
    Attack("zero.txt", lambda path: path.symlink_to("/dev/zero")),
    Attack("kernel.txt", lambda path: path.symlink_to("/proc/kmsg")),
    Attack("loop.txt", lambda path: path.symlink_to(path)),
    Attack(os.fsdecode(b"half-\xed\xa0\x80-\xff.txt"), content(lambda: GOOD_TEXT)),
    Attack("\u202etxt.\u2066a\nb\tc.txt", content(lambda: GOOD_TEXT + " Names.")),
    Attack("n" * 251 + ".txt", content(lambda: GOOD_TEXT + " Long.")),
    # graphs of other programs
    Attack("table", lambda path: make_table(
        path, "SELECT 'Clara' AS source, 'b' AS target, repeat('x', 4000) AS description"
        " FROM range(100000)"), "import"),
    Attack("rows", lambda path: make_table(
        path, "SELECT 'Clara' AS source, 'b' AS target FROM range(1900000)"), "import"),
    Attack("cut-table", make_cut_table, "import"),
    Attack("deep.json", content(lambda: '{"chunks": ' + "[" * 100_000), "import"),
    Attack("string.json",
           content(lambda: '{"chunks": [{"content": "' + "a" * (400 * MB) + '"}]}'), "import"),
    Attack("many.json", content(lambda: '{"chunks": [' + "{}," * (30 * MB) + "{}]}"), "import"),
    Attack("halves.json", content(
        lambda: '{"chunks": [{"content": "a \\udfff b", "source_id": "\\ud800"}]}'), "import"),
    Attack("laughs.graphml",
           content(lambda: make_laughs("graphml") + "<graphml><graph>&a9;"), "import"),
    Attack("nodes.graphml", content(
        lambda: f'<graphml><graph edgedefault="directed">{NODES}</graph></graphml>'), "import"),
    Attack("pipe.json", lambda path: os.mkfifo(path), "import"),
    # pages in the reader
    Attack("self-call-page.pdf", content(make_self_calling_pdf), "page"),
    Attack("flate-page.pdf", content(lambda: make_packed_page(b" " * MB, 3_000)), "page"),
    Attack("box-page.pdf", content(lambda: make_box(b"[0 0 999999 999999]")), "page"),
    Attack("image-page.pdf", content(lambda: make_image_pdf(60_000, 60_000)), "page"),
    Attack("forms-page.pdf", content(make_nested_forms), "page"),
    # model files
    Attack("arrays.gguf", content(lambda: make_gguf(
        gguf_key(b"a", 9) + struct.pack("<IQ", 9, 1) * 3_000)), "model"),
    Attack("string.gguf", content(lambda: make_gguf(
        gguf_key(b"a", 8) + struct.pack("<Q", 2**62))), "model"),
    Attack("pairs.gguf", content(lambda: make_gguf(b"", 2**62)), "model"),
    # libraries
    Attack("rubbish.inkgraph", content(lambda: bytes(range(256)) * 4_000), "library"),
    Attack("cut.inkgraph", lambda path: make_library(path, keep=0.6), "library"),
    Attack("flipped.inkgraph", lambda path: make_library(path, flip=True), "library"),
)  # fmt: skip
