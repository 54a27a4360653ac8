"""Makes a small PDF with a password, as PDF 1.4 describes it (RC4 with 40 bits)."""

from __future__ import annotations

import hashlib

_PAD = bytes.fromhex("28BF4E5E4E758A4164004E56FFFA01082E2E00B6D0683E802F0CA9FE6453697A")
_ID, _PERMISSIONS = b"0123456789abcdef", (-4).to_bytes(4, "little", signed=True)


def _rc4(key: bytes, data: bytes) -> bytes:
    state, j = list(range(256)), 0
    for i in range(256):
        j = (j + state[i] + key[i % len(key)]) % 256
        state[i], state[j] = state[j], state[i]
    out, i, j = bytearray(), 0, 0
    for byte in data:
        i = (i + 1) % 256
        j = (j + state[i]) % 256
        state[i], state[j] = state[j], state[i]
        out.append(byte ^ state[(state[i] + state[j]) % 256])
    return bytes(out)


def make_encrypted_pdf(text: str, password: str) -> bytes:
    """Return a PDF of one page with this text, which only the password opens."""
    padded = (password.encode("latin-1") + _PAD)[:32]
    owner = _rc4(hashlib.md5(padded).digest()[:5], padded)
    key = hashlib.md5(padded + owner + _PERMISSIONS + _ID).digest()[:5]
    user = _rc4(key, _PAD)
    own_key = hashlib.md5(key + (4).to_bytes(3, "little") + bytes(2)).digest()[:10]
    page = _rc4(own_key, f"BT /F1 12 Tf 40 700 Td ({text}) Tj ET".encode("latin-1"))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R"
        b" /Resources << /Font << /F1 5 0 R >> >> >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(page), page),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        b"<< /Filter /Standard /V 1 /R 2 /O <%s> /U <%s> /P -4 >>"
        % (owner.hex().encode(), user.hex().encode()),
    ]
    made, offsets = bytearray(b"%PDF-1.4\n"), []
    for number, content in enumerate(objects, start=1):
        offsets.append(len(made))
        made += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    start = len(made)
    made += b"xref\n0 7\n0000000000 65535 f \n"
    made += b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    made += b"trailer\n<< /Size 7 /Root 1 0 R /Encrypt 6 0 R /ID [<%s> <%s>] >>\n" % (
        _ID.hex().encode(),
        _ID.hex().encode(),
    )
    return bytes(made + b"startxref\n%d\n%%%%EOF\n" % start)
