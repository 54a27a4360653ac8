-- The SHA-256 of each document's text, so that `check` finds a text that is not what was read.
-- `sha256_of` is a function of the connection.
CREATE TABLE text_digest (
    document_id INTEGER PRIMARY KEY REFERENCES document(id) ON DELETE CASCADE,
    sha256      TEXT NOT NULL
) STRICT;
INSERT INTO text_digest SELECT document_id, sha256_of(text) FROM document_text;
