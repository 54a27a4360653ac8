"""Makes a small file of each format that is read, for tests and for `bad_files`.

All are written here or by the libraries that read them; nothing comes from elsewhere.
"""

from __future__ import annotations

import base64
import bz2
import datetime
import gzip
import io
import json
import lzma
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from functools import partial

from PIL import Image, ImageDraw

LETTER = "Dear Bob,\n\nThe gauge of Harwich is broken. Clara Wren repairs it.\n\nAnn\n"
# A letter that msgforge 1.0 made, with a text file attached; compressed.
_MSG = (
    "c-rk+&2!sC6o0Z}xp5LFDTzy+G*O#0w4t~*PAkGNkdG$7p$tPi!-"
    "?_OvD##4ZI7)2x$y@u+_=M^z>O2bkqZNV0Ut+>T)4&V+to_ZiZ*_0NfSDg)jX}9w7b83A9`=K_HVyV|M}hbg})$F-"
    "Uc0d{ZTLi_cWxG$4t3Aqh7z?_ip#k$_rJFkeK~+wA~0&8j0CFgLDpQ6e)`|hBPj0ox^(4bpe=0I*;^{cy?A^tkP2;X"
    "8#FcXODvRpFx^M%7@wvOV@Cm>qx6&yc<}*hEx=M3G4Ei-"
    "$g1PK?@HDOxS@Y)*Uzmm6C_F=8eVU#Dtq6esUl0KC2J&p)beX>na{isKH~f;Q$)QeTG*Z=pxs`CuOvD=>+_1n1MX}S"
    "x_$wzY9;Gj%NoR3cM;(39mOrz5Cq$tB}&PK;EO`P7&}cV3F`sB6d^p*?i{-_-"
    "pVw2|wsh6#NuX{@XYM3cfCK6&2rWKN$ZO1s_!9XSP}(;JelzEWe@Xe`%8ax5@sW5$gmhzCp4-"
    "!{157|1u=|Z*yD<ep;-DsQBkd_TS+VAPN5)6}fsaKJEP*Q}n;ASTmf2UlzVk!Dp!?r=Wi}->(MX--0_FISK#E5$x~c"
    ")8g-h&?gmtGKAm8eA~h^%exNdT^r{@&BLW3{Exl+-"
    ")hJB9Yoqgoc422tFRRC2KVsFo1ke^LiWOt`ClEsEa6X!_3z@4_%+nJgXcZiSJuE=i0|osIp+0`>wjfl#~FWu`voWCS"
    "19<}jQHk=AAjxC<o6<f67l~6A^ui;`wxykY`lvK`hS^_e=ENI<Cp&;A^uii9Z_lP4<^qm3i207@qZVO+lk0ON49@5{"
    "x?rpf2jE1ywE2V|I#V@ADioy82#@O{|=_hzevDO(*I1d{gd&(%OwA|1peUs!^T@u(Ek;&hcy^K8UI@%`M*V8|1)`36"
    "y#qf>)%R5{;Ons+WU7^>{C+lS3>?Das92$DSm&kT=jE|_@*NMtMTG1+y5rg4-"
    "j8b#gDs0!G9k<guAHQ5BM&yt&DvizgcXI=nmh#WmgaJOXdllX=81oZJXHZUH%nzsEmIPXMZ1M7`D_n{sv-"
    "y!FQqC@CdJqsErQFa3=qtvW@L)*tUi;e9UEND&cP-QXTu=Lk+U`T-"
    "5{bU=N0Giji(W77x!V$F?x>=>t5!$6J4n)?#1VCe~d%*Lei`l+V71{IjGodELf)2RtsZz7Do#c&-"
    "&sL;q3x2lwQ)Kz+PcEb#r>^FD8Je!=J4A-"
    "*s!w_o6V*5?;FZ~DCUiOg?>@ERcZw?S^73iXF6#((YeBRM0GZx=!5eBS>pAjA1-"
    "!EfNYoB!uw_4+S&zxh$y03#RVb(mN){9Sz3|Mzzo|M!tM-anil9r5@Jd_2v^Tao@#q2n6ckoG3$az@AoNxnZ(<42w2"
    "5AT0b`$v^OYW#|-"
    "zdav+I2}aoA60%Y?{yK+L3~Gb{jhJF&OrlDwfZBwYqlPk<u}$#MRT)JGq(;qt)|(rYYo%cw;va?|Ls2<YJBsL-rwfE"
    "ZgQ)!+%jAq!8lry<6NpF$4$K?$I0Hh%>P>r_Sa!{T#j44Nkja0Cw@a+m*W_eWd4t;%pX<d@%qy9sKt{%KS2KFko?Ob"
    "`ST(9Q;PCyrzF1)mvb_nJKv1Yr!5(O%rXMstUAnChNRCCOZKNsh}SJyzq0?OG>tzm`p<J#P`_v8|52U-=-ZUs"
)


def make_zip(parts: dict[str, str | bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return stream.getvalue()


def make_xlsx() -> bytes:
    """Return a workbook with a table under a title, numbers in formats, and a hidden sheet."""
    import openpyxl

    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "Economy"
    sheet.append(["Gross domestic product"])
    sheet.append(["Country", 1997, 1998, "Share", "Seen on"])
    sheet.append(["France", 1452.5, 1503.25, 0.125, datetime.datetime(1999, 5, 3)])
    sheet.append(["Italy", 1239.9, 1270.0, 0.1, datetime.datetime(1999, 5, 4, 14, 30)])
    for row in (3, 4):
        sheet.cell(row, 3).number_format = "#,##0.00"
        sheet.cell(row, 4).number_format = "0.0%"
        sheet.cell(row, 5).number_format = "d mmmm yyyy"
    hidden = book.create_sheet("Notes of Ada Byron")
    hidden.append(["Ada Byron counted these."])
    hidden.sheet_state = "hidden"
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def make_pptx() -> bytes:
    """Return two slides: a title with notes, and a table."""
    import pptx
    from pptx.util import Cm

    show = pptx.Presentation()
    first = show.slides.add_slide(show.slide_layouts[1])
    first.shapes.title.text = "Tides of Harwich"
    first.placeholders[1].text = "Clara Wren reads the gauge.\nIt is read twice a day."
    first.notes_slide.notes_text_frame.text = "Thank Ada Byron for the tables."
    second = show.slides.add_slide(show.slide_layouts[5])
    second.shapes.title.text = "Heights"
    table = second.shapes.add_table(2, 2, Cm(1), Cm(4), Cm(10), Cm(3)).table
    for number, text in enumerate(("Port", "Height", "Harwich", "3.4 m")):
        table.cell(number // 2, number % 2).text = text
    stream = io.BytesIO()
    show.save(stream)
    return stream.getvalue()


_ODF = (
    '<office:document-content xmlns:office="o" xmlns:text="t" xmlns:table="b" xmlns:draw="d"'
    ' xmlns:presentation="p" xmlns:style="s" xmlns:xlink="x" xmlns:m="m">{styles}'
    "<office:body>{body}</office:body></office:document-content>"
)
_META = (
    '<office:document-meta xmlns:office="o" xmlns:dc="c" xmlns:meta="e"><office:meta>'
    "<dc:title>{title}</dc:title><meta:initial-creator>Ann Grey</meta:initial-creator>"
    "<meta:creation-date>1999-05-03T10:00:00</meta:creation-date></office:meta>"
    "</office:document-meta>"
)


def make_odf(kind: str, body: str, title: str, styles: str = "", **more: str) -> bytes:
    """Return an OpenDocument file with a body."""
    return make_zip(
        {
            "mimetype": f"application/vnd.oasis.opendocument.{kind}",
            "content.xml": _ODF.format(body=body, styles=styles),
            "meta.xml": _META.format(title=title),
            **more,
        }
    )


def make_odt() -> bytes:
    """Return a text with a heading, a list, a table, a footnote, a formula and a deleted word."""
    formula = (
        '<math xmlns="m"><mfrac><mi>a</mi><mi>b</mi></mfrac><mo>=</mo>'
        "<msup><mi>x</mi><mn>2</mn></msup></math>"
    )
    return make_odf(
        "text",
        "<office:text><text:tracked-changes><text:p>deleted</text:p></text:tracked-changes>"
        '<text:h text:outline-level="1">The gauge</text:h>'
        "<text:p>Clara Wren<text:s/>reads the gauge<text:note><text:note-citation>1"
        "</text:note-citation><text:note-body><text:p>At Harwich.</text:p></text:note-body>"
        "</text:note> twice a day, by <draw:frame>"
        '<draw:object xlink:href="./Object 1"/></draw:frame>.</text:p>'
        "<text:list><text:list-item><text:p>Morning</text:p></text:list-item></text:list>"
        "<table:table><table:table-row><table:table-cell><text:p>Port</text:p></table:table-cell>"
        "<table:table-cell><text:p>Height</text:p></table:table-cell></table:table-row>"
        "<table:table-row><table:table-cell><text:p>Harwich</text:p></table:table-cell>"
        "<table:table-cell><text:p>3.4 m</text:p></table:table-cell></table:table-row>"
        "</table:table></office:text>",
        "Gauges of the coast",
        **{"Object 1/content.xml": formula},
    )


def make_ods() -> bytes:
    """Return a sheet whose cells have a shown text, and empty cells without end."""
    return make_odf(
        "spreadsheet",
        '<office:spreadsheet><table:table table:name="Economy"><table:table-row>'
        "<table:table-cell><text:p>Country</text:p></table:table-cell>"
        '<table:table-cell office:value="1998"><text:p>1998</text:p></table:table-cell>'
        '<table:table-cell table:number-columns-repeated="16000"/></table:table-row>'
        "<table:table-row><table:table-cell><text:p>France</text:p></table:table-cell>"
        '<table:table-cell office:value="1503.25"><text:p>1,503.25</text:p></table:table-cell>'
        '</table:table-row><table:table-row table:number-rows-repeated="1048576">'
        "<table:table-cell/></table:table-row></table:table></office:spreadsheet>",
        "",
    )


def make_odp() -> bytes:
    """Return a slide with a title and notes."""
    return make_odf(
        "presentation",
        "<office:presentation><draw:page>"
        "<draw:frame><draw:text-box><text:p>Clara Wren reads it.</text:p></draw:text-box>"
        '</draw:frame><draw:frame presentation:class="title"><draw:text-box>'
        "<text:p>Tides of Harwich</text:p></draw:text-box></draw:frame>"
        "<presentation:notes><draw:frame><draw:text-box><text:p>Thank Ada Byron.</text:p>"
        "</draw:text-box></draw:frame></presentation:notes></draw:page></office:presentation>",
        "",
    )


def make_rtf() -> bytes:
    """Return a text with a title, characters of three kinds and a table row."""
    return (
        rb"{\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0\fcharset0 Arial;}{\f1\fcharset134 SimSun;}}"
        rb"{\info{\title The gauge of Harwich}{\author Ann Grey}{\creatim\yr1999\mo5\dy3}}"
        rb"\f0 Clara Wren reads the gauge at the caf\'e9.\par "
        rb"{\f1 \'b3\'b1\'cb\'ae} and \u28526?\u27700? rise.\par "
        rb"Port\cell Height\cell\row Harwich\cell 3.4 m\cell\row}"
    )


def make_fb2() -> bytes:
    """Return a book with two chapters, a poem, a note and a picture."""
    return (
        b'<?xml version="1.0" encoding="utf-8"?><FictionBook xmlns="f" xmlns:l="x"><description>'
        b"<title-info><author><first-name>Ann</first-name><last-name>Grey</last-name></author>"
        b"<book-title>The Mill</book-title><date>1899</date></title-info><publish-info>"
        b"<year>1901</year></publish-info></description><body><section><title><p>First</p></title>"
        b"<p>Clara Wren came to the mill.<a>[1]</a></p><poem><stanza><v>One tide,</v><v>two tides."
        b"</v></stanza></poem></section><section><title><p>Second</p></title><p>She left.</p>"
        b'</section></body><body name="notes"><section><title><p>1</p></title><p>In May.</p>'
        b'</section></body><binary id="a">AAAA</binary></FictionBook>'
    )


def make_mobi(
    markup: str = "",
    *,
    is_locked: bool = False,
    version: int = 6,
    compression: int = 2,
    more: tuple[bytes, ...] = (),
    pictures: tuple[bytes, ...] = (),
    cover: int | None = None,
) -> bytes:
    """Return a Kindle book with a table of contents.

    Args:
        more: the tables of Huffman compression, which stand after the text.
        pictures: which stand after these.
        cover: the number of one of them, from 0.
    """
    if not markup:
        chapters = "<h2>{}</h2><p>Clara Wren came to the mill, and 潮水 rose.</p>"
        toc = (
            '<p>Contents</p><a filepos="{:010}">First</a><br/><a filepos="{:010}">Second</a>'
            "<mbp:pagebreak/>"
        )
        head = '<html><head><guide><reference type="toc" filepos="{:010}"/></guide></head><body>'
        first, second = chapters.format("First"), chapters.format("Second")
        start = len(head.format(0).encode())
        at = start + len(toc.format(0, 0).encode())
        markup = head.format(start) + toc.format(at, at + len(first.encode()))
        markup += first + second + "</body></html>"
    source = markup.encode()
    pieces = [source[i : i + 4096] for i in range(0, len(source), 4096)]
    records = [_pack_palmdoc(piece) if compression == 2 else piece for piece in pieces]
    if compression == 17480:
        records = [bytes(255 - byte for byte in piece) for piece in pieces]
        more = more or make_huffman([(bytes((number,)), True) for number in range(256)])
    details = [(100, b"Ann Grey"), (106, b"1901-01-01"), (503, b"The Mill")]
    if cover is not None:
        details.append((201, struct.pack(">I", cover)))
    packed = b"".join(struct.pack(">II", k, 8 + len(v)) + v for k, v in details)
    exth = b"EXTH" + struct.pack(">II", 12 + len(packed), len(details)) + packed
    header = bytearray(248)
    struct.pack_into(
        ">HHIHHHH", header, 0, compression, 0, len(source), len(records), 4096, int(is_locked), 0
    )
    header[16:20] = b"MOBI"
    struct.pack_into(">IIIII", header, 20, 232, 2, 65001, 1, version)
    struct.pack_into(">II", header, 84, 248 + len(exth), 5)
    struct.pack_into(">I", header, 128, 0x40)
    struct.pack_into(">II", header, 192, 0xFFFFFFFF, 0)
    first_picture = 1 + len(records) + len(more) if pictures else 0xFFFFFFFF
    struct.pack_into(">III", header, 108, first_picture, 1 + len(records), len(more))
    every = [bytes(header) + exth + b"Title", *records, *more, *pictures]
    return _pack_palm_records(every, b"BOOKMOBI")


def make_huffman(phrases: list[tuple[bytes, bool]]) -> tuple[bytes, bytes]:
    """Return the tables in which each byte is a code, of the phrase 255 - byte.

    Args:
        phrases: the bytes of each, and whether they are text; if not, they are codes themselves.
    """
    huff = bytearray(24 + 256 * 4 + 64 * 4)
    huff[:4] = b"HUFF"
    struct.pack_into(">II", huff, 8, 24, 24 + 1024)
    for code in range(256):
        struct.pack_into(">I", huff, 24 + 4 * code, 255 << 8 | 0x80 | 8)
    offsets, packed = b"", b""
    for phrase, is_text in phrases:
        offsets += struct.pack(">H", 2 * len(phrases) + len(packed))
        packed += struct.pack(">H", len(phrase) | (0x8000 if is_text else 0)) + phrase
    return bytes(huff), b"CDIC" + struct.pack(">III", 16, len(phrases), 8) + offsets + packed


def _pack_palmdoc(piece: bytes) -> bytes:
    """Return a record in which blanks and one repeated word are packed."""
    packed, at = bytearray(), 0
    while at < len(piece):
        before = piece.rfind(piece[at : at + 10], max(0, at - 2047), at) if at > 10 else -1
        if before >= 0 and at + 10 <= len(piece):
            packed += struct.pack(">H", 0x8000 | (at - before) << 3 | 7)
            at += 10
        elif piece[at] == 0x20 and at + 1 < len(piece) and 0x40 <= piece[at + 1] < 0x80:
            packed.append(piece[at + 1] ^ 0x80)
            at += 2
        elif 8 < piece[at] < 0x80 or not piece[at]:
            packed.append(piece[at])
            at += 1
        else:
            count = min(8, len(piece) - at)
            packed += bytes((count,)) + piece[at : at + count]
            at += count
    return bytes(packed)


def make_palmdoc(text: str = "Clara Wren came to the mill, and the tide rose. " * 9) -> bytes:
    """Return a PalmDoc text, as programs for old hand-held computers made them."""
    source = text.encode("cp1252")
    pieces = [source[i : i + 4096] for i in range(0, len(source), 4096)]
    head = struct.pack(">HHIHHI", 2, 0, len(source), len(pieces), 4096, 0)
    return _pack_palm_records([head, *map(_pack_palmdoc, pieces)], b"TEXtREAd")


def _pack_palm_records(records: list[bytes], kind: bytes) -> bytes:
    """Return a Palm database: its head, the places of its records, and these."""
    start = 78 + 8 * len(records) + 2
    table = b""
    for number, record in enumerate(records):
        table += struct.pack(">II", start, number)
        start += len(record)
    palm = b"The_Mill".ljust(32, b"\0") + bytes(28) + kind + bytes(8)
    return palm + struct.pack(">H", len(records)) + table + b"\0\0" + b"".join(records)


def make_eml(attachments: tuple[tuple[str, bytes], ...] = ()) -> bytes:
    """Return a letter with names in encoded words, as text and as HTML."""
    from email.message import EmailMessage

    letter = EmailMessage()
    letter["From"] = "Ann Grey <ann@example.org>"
    letter["To"] = "Bob Stone <bob@example.org>, 李明 <li@example.org>"
    letter["Cc"] = '"Wren, Clara" <clara@example.org>'
    letter["Date"] = "Mon, 03 May 1999 10:15:00 +0100"
    letter["Subject"] = "The tide gauge, 潮位"
    letter.set_content(LETTER)
    letter.add_alternative(f"<p>{LETTER}</p>", subtype="html")
    for name, content in attachments:
        letter.add_attachment(
            content, maintype="application", subtype="octet-stream", filename=name
        )
    parts = [part for part in letter.walk() if part.is_multipart()]
    for number, part in enumerate(parts):  # drawn by chance otherwise: the same file each time
        part.set_boundary(f"=_part_{number}")
    return letter.as_bytes()


def make_msg() -> bytes:
    """Return a letter of Outlook with a file attached."""
    return zlib.decompress(base64.b85decode(_MSG))


def make_mbox(n_letters: int = 3) -> bytes:
    """Return a mail box; the first letter has a line that begins with “From ”."""
    letters = []
    for number in range(n_letters):
        body = "The tide is in.\n\n>From Harwich it comes.\n" if not number else LETTER
        letters.append(
            "From ann@example.org Mon May  3 10:15:00 1999\n"
            f"From: Ann Grey {number} <ann{number}@example.org>\nTo: bob@example.org\n"
            f"Subject: Letter {number}\nDate: Mon, 03 May 1999 10:15:00 +0000\n\n{body}\n"
        )
    return "".join(letters).encode()


def make_mht() -> bytes:
    """Return a page as a browser saves it."""
    from email.message import EmailMessage

    page = EmailMessage()
    page["From"] = "<Saved by Blink>"
    page["Subject"] = "The tides"
    page.set_content("<title>The tides</title><h1>Tides</h1><p>Café of 潮水.</p>", subtype="html")
    page.make_related()
    page.add_related(b"\x89PNG", maintype="image", subtype="png", cid="<a>")
    return page.as_bytes().replace(b"MIME-Version: 1.0\n", b"", 1)


def make_inner_files() -> dict[str, str | bytes]:
    """Return the files of an archive: three that are read, one that is broken, and others."""
    return {
        "papers/tides.txt": "The tides of Harwich. Clara Wren reads the gauge every morning.",
        "papers/蒙田.md": "# On gauges\n\nAda Byron wrote of gauges.",
        "letter.eml": make_eml(),
        "broken.docx": b"PK\x03\x04broken",
        "picture.raw": b"\x00\x01",
        "__MACOSX/._tides.txt": b"\x00\x05",
        ".hidden/secret.txt": "hidden",
    }


def make_tar(mode: str = "w") -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode=mode) as archive:  # type: ignore[call-overload]
        for name, content in make_inner_files().items():
            content = content.encode() if isinstance(content, str) else content
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return stream.getvalue()


def make_7z(**options: object) -> bytes:
    import py7zr

    stream = io.BytesIO()
    with py7zr.SevenZipFile(stream, "w", **options) as archive:  # type: ignore[arg-type]
        for name, content in make_inner_files().items():
            archive.writestr(content.encode() if isinstance(content, str) else content, name)
    return stream.getvalue()


def make_huge_png(width: int, height: int) -> bytes:
    """Return a PNG of a few bytes that says that it has so many pixels."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        checksum = zlib.crc32(kind + content)
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", checksum)

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    body = zlib.compress(b"\x00" * 1000)
    parts = chunk(b"IHDR", head) + chunk(b"IDAT", body) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + parts


def make_csv() -> bytes:
    return "Country;1997;1998\nFrance;1,452.5;1,503.25\nItaly;1,239.9;1,270\n".encode("utf-8-sig")


def make_json() -> bytes:
    """Return a list in an object; the texts are in a field whose name says nothing."""
    story = "Clara Wren reads the gauge of Harwich every morning, and Ada Byron writes it down. "
    rows = [{"headline": f"Day {n}", "what": story * 2 + str(n), "day": {"n": n}} for n in (1, 2)]
    return json.dumps({"version": 1, "items": rows}).encode()


def make_srt() -> bytes:
    return (
        b"1\n00:00:01,000 --> 00:00:03,000\n<i>Clara Wren came</i>\nto the mill.\n\n"
        b"2\n00:00:03,200 --> 00:00:05,000\nShe read the gauge.\n\n"
        b"3\n01:02:03,000 --> 01:02:05,000\nThe tide was in.\n"
    )


def make_vtt() -> bytes:
    return (
        b"WEBVTT\n\nNOTE by Ada Byron\n\n00:01.000 --> 00:03.000\n"
        b"<v Clara Wren>I read &amp; write.</v>\n\n01:02:03.000 --> 01:02:05.000\n"
        b"The tide was in.\n"
    )


_WORD_TEXT = (
    '<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>'
    "<w:p><w:r><w:t>Clara Wren reads the gauge of Harwich.</w:t></w:r></w:p></w:body></w:document>"
)
_MAIN_PARTS = {"doc": "word/document.xml", "xls": "xl/workbook.xml", "pp": "ppt/presentation.xml"}
_OPEN_XML = "application/vnd.openxmlformats-officedocument."
# How the list of parts of an Office file names its main part: files with macros, shows, templates.
_MAIN_TYPES = {
    "docx": _OPEN_XML + "wordprocessingml.document.main+xml",
    "docm": "application/vnd.ms-word.document.macroEnabled.main+xml",
    "dotx": _OPEN_XML + "wordprocessingml.template.main+xml",
    "dotm": "application/vnd.ms-word.template.macroEnabledTemplate.main+xml",
    "xlsx": _OPEN_XML + "spreadsheetml.sheet.main+xml",
    "xlsm": "application/vnd.ms-excel.sheet.macroEnabled.main+xml",
    "xltx": _OPEN_XML + "spreadsheetml.template.main+xml",
    "xltm": "application/vnd.ms-excel.template.macroEnabled.main+xml",
    "pptx": _OPEN_XML + "presentationml.presentation.main+xml",
    "pptm": "application/vnd.ms-powerpoint.presentation.macroEnabled.main+xml",
    "ppsx": _OPEN_XML + "presentationml.slideshow.main+xml",
    "ppsm": "application/vnd.ms-powerpoint.slideshow.macroEnabled.main+xml",
    "potx": _OPEN_XML + "presentationml.template.main+xml",
    "potm": "application/vnd.ms-powerpoint.template.macroEnabled.main+xml",
}
OFFICE_SUFFIXES = tuple(f".{kind}" for kind in _MAIN_TYPES)


def make_word() -> bytes:
    """Return a Word document of one paragraph."""
    return make_zip(
        {
            "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/'
            'content-types"><Override PartName="/word/document.xml"'
            f' ContentType="{_MAIN_TYPES["docx"]}"/></Types>',
            "word/document.xml": _WORD_TEXT,
        }
    )


def make_office(suffix: str) -> bytes:
    """Return a file of Word, Excel or PowerPoint whose list of parts says what `suffix` says.

    Those with macros have a part with them.
    """
    kind = suffix[1:]
    family, make = ("doc", make_word) if kind[:2] == "do" else ("pp", make_pptx)
    if kind.startswith("xl"):
        family, make = "xls", make_xlsx
    plain = {"doc": "docx", "xls": "xlsx", "pp": "pptx"}[family]
    with zipfile.ZipFile(io.BytesIO(make())) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    types = parts["[Content_Types].xml"].decode()
    assert _MAIN_TYPES[plain] in types
    parts["[Content_Types].xml"] = types.replace(_MAIN_TYPES[plain], _MAIN_TYPES[kind]).encode()
    if kind.endswith("m"):
        folder = _MAIN_PARTS[family].partition("/")[0]
        parts[f"{folder}/vbaProject.bin"] = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(504)
    return make_zip(dict(parts))


def make_template(content: bytes) -> bytes:
    """Return an OpenDocument file as a template: .odt as .ott."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    return make_zip({**parts, "mimetype": parts["mimetype"] + b"-template"})


def make_flat(content: bytes) -> bytes:
    """Return an OpenDocument file as one file of XML: .odt as .fodt."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        kind = archive.read("mimetype").decode()
        body = archive.read("content.xml").decode()
    flat = body.replace("office:document-content", "office:document")
    head = f'<office:document office:mimetype="{kind}"'
    return flat.replace("<office:document", head, 1).encode()


def make_epub() -> bytes:
    """Return a book of one chapter."""
    return make_zip(
        {
            "mimetype": "application/epub+zip",
            "META-INF/container.xml": '<container><rootfile full-path="b.opf"/></container>',
            "b.opf": '<package><manifest><item id="a" href="a.xhtml"'
            ' media-type="application/xhtml+xml"/></manifest><spine><itemref idref="a"/></spine>'
            "</package>",
            "a.xhtml": "<html><body><p>Clara Wren came to the mill.</p></body></html>",
        }
    )


def make_html() -> bytes:
    return b"<!DOCTYPE html><html><body><h1>Tides</h1><p>Clara Wren came.</p></body></html>"


def make_jsonl() -> bytes:
    rows = [{"title": f"Day {n}", "text": f"Clara Wren read {n} metres."} for n in (1, 2)]
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def make_pdf() -> bytes:
    """Return a page with a line of text."""
    shown = b"BT /F1 12 Tf 72 700 Td (Clara Wren reads the gauge of Harwich.) Tj ET"
    objects = (
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R"
        b"/Resources<</Font<</F1 5 0 R>>>>>>",
        b"<</Length %d>>\nstream\n%s\nendstream" % (len(shown), shown),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    )
    body = b"".join(b"%d 0 obj%s endobj\n" % pair for pair in enumerate(objects, 1))
    return b"%PDF-1.5\n" + body + b"trailer<</Root 1 0 R>>"


FILES: dict[str, Callable[[], bytes]] = {
    "economy.xlsx": make_xlsx,
    "tides.pptx": make_pptx,
    "gauge.odt": make_odt,
    "economy.ods": make_ods,
    "tides.odp": make_odp,
    "gauge.rtf": make_rtf,
    "mill.fb2": make_fb2,
    "mill.mobi": make_mobi,
    "mill.azw3": lambda: make_mobi(version=8),
    "letter.eml": lambda: make_eml((("tides.txt", b"The tides of Harwich."),)),
    "letter.msg": make_msg,
    "letters.mbox": make_mbox,
    "page.mht": make_mht,
    "pile.zip": lambda: make_zip(make_inner_files()),
    "pile.tar": make_tar,
    "pile.tar.gz": lambda: gzip.compress(make_tar()),
    "pile.tar.bz2": lambda: bz2.compress(make_tar()),
    "pile.tar.xz": lambda: lzma.compress(make_tar()),
    "pile.7z": make_7z,
    "economy.csv": make_csv,
    "days.json": make_json,
    "film.srt": make_srt,
    "film.vtt": make_vtt,
}


# A file of each name that is read, but for pictures.
FILES_OF_SUFFIXES: dict[str, Callable[[], bytes]] = {
    **{f".{name.partition('.')[2]}": make for name, make in FILES.items()},
    **{suffix: partial(make_office, suffix) for suffix in OFFICE_SUFFIXES},
    **{".pdf": make_pdf, ".epub": make_epub, ".azw": make_mobi, ".prc": make_palmdoc},
    **{".ott": lambda: make_template(make_odt()), ".fodt": lambda: make_flat(make_odt())},
    **{".ots": lambda: make_template(make_ods()), ".fods": lambda: make_flat(make_ods())},
    **{".otp": lambda: make_template(make_odp()), ".fodp": lambda: make_flat(make_odp())},
    **dict.fromkeys((".txt", ".text", ".log"), LETTER.encode),
    **dict.fromkeys((".md", ".markdown"), lambda: b"# Tides\n\nClara Wren came.\n"),
    **dict.fromkeys((".html", ".htm", ".xhtml"), make_html),
    **{".mhtml": make_mht, ".tsv": lambda: make_csv().replace(b";", b"\t")},
    **{".jsonl": make_jsonl, ".ndjson": make_jsonl},
    ".tgz": lambda: gzip.compress(make_tar()),
}


def iter_damaged(content: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield (name, content) of files that were cut off or altered."""
    for share in (0.02, 0.3, 0.6, 0.9, 0.99):
        yield f"cut at {share:.0%}", content[: int(len(content) * share)]
    for step in (7, 97, 997):
        altered = bytearray(content)
        for at in range(step, len(altered), step):
            altered[at] ^= 0x55
        yield f"each {step}th byte altered", bytes(altered)
    middle = len(content) // 2
    yield "zeros inside", content[: middle - 50] + bytes(100) + content[middle + 50 :]
    yield "twice", content * 2


def iter_misnamed() -> Iterator[tuple[str, bytes]]:
    """Yield (name, content) of files of each format with the content of another one."""
    names = list(FILES)
    for number, name in enumerate(names):
        yield name, FILES[names[(number + 7) % len(names)]]()
        yield name, b"This is a note of Ada Byron, and nothing else.\n"
        yield name, bytes(range(256)) * 20


N_PAGES = 1_000  # of a scan
N_LETTERS = 20_000  # of a mail box, 5 MB


def draw_page(text: str, size: tuple[int, int] = (640, 520)) -> Image.Image:
    """Return a picture of a page, in black and white."""
    image = Image.new("1", size, 1)
    ImageDraw.Draw(image).text((40, 40), text, fill=0)
    return image


def save_picture(image: Image.Image, format: str, **options: object) -> bytes:
    stream = io.BytesIO()
    image.save(stream, format, **options)
    return stream.getvalue()


def iter_pictures() -> Iterator[tuple[str, str, bytes]]:
    """Yield (state, name, content) of pictures: whole, damaged, and with too many pixels."""
    page = draw_page("The ferry to Port Ellis left at seven.")
    formats = {"png": "PNG", "jpg": "JPEG", "tif": "TIFF", "webp": "WEBP", "gif": "GIF"}
    for suffix, format in (formats | {"bmp": "BMP", "jp2": "JPEG2000", "avif": "AVIF"}).items():
        content = save_picture(page.convert("L"), format)
        yield "whole", f"page.{suffix}", content
        for state, damaged in iter_damaged(content):
            yield state, f"page.{suffix}", damaged
    yield "30,000 by 30,000 pixels", "map.png", make_huge_png(30_000, 30_000)
    yield "in an archive", "maps.zip", make_zip({"map.png": make_huge_png(30_000, 30_000)})


def iter_many_parts() -> Iterator[tuple[str, str, bytes]]:
    """Yield (state, name, content) of a scan with many small pages and a box with many letters."""
    pages = [draw_page(f"Page {n + 1}", (160, 120)) for n in range(N_PAGES)]
    first, others = pages[0], pages[1:]
    for suffix, format in {"pdf": "PDF", "tif": "TIFF"}.items():
        content = save_picture(first, format, save_all=True, append_images=others)
        yield f"{N_PAGES:,} pages", f"scan.{suffix}", content
    yield f"{N_LETTERS:,} letters", "many.mbox", make_mbox(N_LETTERS)


def iter_large_archives() -> Iterator[tuple[str, str, bytes]]:
    """Yield (state, name, content) of archives that would unpack to too much, in each way."""
    zeros = bytes(1024 * 1024)
    bomb = _zip_pieces("a.txt", zeros, 400)
    yield "400 MB of zeros", "bomb.zip", bomb
    yield "bombs in an archive", "nested.zip", make_zip({f"{n}.zip": bomb for n in range(3)})
    inner = make_zip({"note.txt": LETTER})
    for _ in range(20):
        inner = make_zip({"inner.zip": inner})
    yield "20 archives in each other", "deep.zip", inner
    yield "100,000 files", "many.zip", make_zip({f"{n}.txt": "a" for n in range(100_000)})
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w:gz") as archive:
        for number in range(100_000):
            archive.addfile(tarfile.TarInfo(f"{number}.txt"))
    yield "100,000 files", "many.tar.gz", stream.getvalue()
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    packed = b"".join(packer.compress(zeros) for _ in range(2_000)) + packer.flush()
    yield "2 GB of zeros", "bomb.gz", packed
    yield "a bomb beside a note", "mixed.zip", make_zip({"note.txt": LETTER, "b.zip": bomb})


def _zip_pieces(name: str, piece: bytes, times: int) -> bytes:
    stream = io.BytesIO()
    with (
        zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive,
        archive.open(name, "w", force_zip64=True) as member,
    ):
        for _ in range(times):
            member.write(piece)
    return stream.getvalue()


_BIB = """@article{wren1999, title = {Tides of {H}arwich}, author = {Wren, Clara and Grey, Ann},
  journal = {Journal of Tides}, year = 1999, pages = {1--20}, doi = {10.1000/tides.7}}

@book{grey, title = "The gauge", author = "Grey, Ann", year = 2001, isbn = {978-7-02-000874-2}}
"""
_RIS = """TY  - JOUR
AU  - Wren, Clara
TI  - Tides of Harwich
JO  - Journal of Tides
PY  - 1999
SP  - 1
EP  - 20
DO  - 10.1000/tides.7
ER  -

TY  - BOOK
AU  - Grey, Ann
TI  - The gauge
PY  - 2001
ER  -
"""
_CSL = json.dumps(
    [
        {
            "type": "article-journal",
            "title": "Tides of Harwich",
            "author": [{"family": "Wren", "given": "Clara"}],
            "issued": {"date-parts": [[1999]]},
            "container-title": "Journal of Tides",
            "DOI": "10.1000/tides.7",
        },
        {"type": "book", "title": "The gauge", "author": [{"literal": "Ann Grey"}]},
    ]
)
BIBLIOGRAPHIES = {
    "list.bib": _BIB.encode(),
    "list.ris": _RIS.encode(),
    "list.json": _CSL.encode(),
}


def iter_broken_bibliographies() -> Iterator[tuple[str, str, bytes]]:
    """Yield (state, name, content) of files of references with one error each."""
    for state, text in (
        ("a brace is missing", _BIB.replace("{Wren", "Wren", 1)),
        ("a quotation mark is missing", _BIB.replace('gauge"', "gauge", 1)),
        ("a comma is missing", _BIB.replace("},", "}", 1)),
        ("an unknown macro", _BIB.replace("year = 1999", "year = nineties")),
        ("the same key twice", _BIB + _BIB),
        ("no key", _BIB.replace("wren1999, ", "")),
        ("a name with three commas", _BIB.replace("Wren, Clara", "Wren, C, D, E")),
        ("text between the entries", _BIB.replace("\n\n", "\n\nnot an entry @ all\n\n")),
        ("10,000 braces", _BIB.replace("{H}", "{" * 10_000 + "H" + "}" * 10_000)),
        ("only comments", "@comment{nothing}\n% nothing\n"),
    ):
        yield state, "list.bib", text.encode()
    for state, text in (
        ("no end of a record", _RIS.replace("ER  -", "", 1)),
        ("a tag without a value", _RIS.replace("AU  - Wren, Clara", "AU  -")),
        ("an unknown tag", _RIS.replace("JO  -", "QQ  -")),
        ("no type", _RIS.replace("TY  - JOUR\n", "")),
        ("lines without tags", _RIS.replace("PY  - 1999", "1999\n\nand more")),
        ("one blank after the tag", _RIS.replace("  - ", " - ")),
        ("line ends of old Macs", _RIS.replace("\n", "\r")),
        ("only ends", "ER  -\n" * 500),
    ):
        yield state, "list.ris", text.encode()
    for state, text in (
        ("no closing bracket", _CSL[:-1]),
        ("a comma too many", _CSL.replace("]}", "],}", 1)),
        ("numbers for texts", _CSL.replace('"Tides of Harwich"', "7")),
        ("authors as a text", _CSL.replace('[{"literal": "Ann Grey"}]', '"Ann Grey"')),
        ("a date of texts", _CSL.replace("[[1999]]", '[["no", "date"]]')),
        ("no types", _CSL.replace('"type"', '"kind"')),
        ("100,000 brackets", "[" * 100_000),
        ("an empty list", "[]"),
        ("null", "null"),
    ):
        yield state, "list.json", text.encode()
    yield "in UTF-16", "list.bib", _BIB.encode("utf-16")
    yield "in GB18030", "list.ris", _RIS.replace("Wren, Clara", "张伟").encode("gb18030")
