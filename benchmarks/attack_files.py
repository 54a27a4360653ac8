"""Makes the attack files of `hostile`, which tests use too: small, deterministic, made here."""

from __future__ import annotations

import zlib


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
