-- What a person marked while reading: highlights with notes, and bookmarks. Offsets are of the
-- document's text; the words themselves are kept to find the place again when the text changed.
CREATE TABLE annotation (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    document_id INTEGER NOT NULL REFERENCES document(id) ON DELETE CASCADE,
    kind        TEXT NOT NULL CHECK (kind IN ('highlight', 'bookmark')),
    start       INTEGER NOT NULL,
    end         INTEGER NOT NULL,
    quote       TEXT NOT NULL DEFAULT '',
    color       TEXT NOT NULL DEFAULT 'yellow',
    note        TEXT NOT NULL DEFAULT '',
    created_at  REAL NOT NULL
) STRICT;
CREATE INDEX annotation_by_document ON annotation(document_id, start);
