-- What a person says of a document: it stands over what the file says, also when it is read
-- again. NULL: as the file has it.
CREATE TABLE document_edit (
    document_id INTEGER PRIMARY KEY REFERENCES document(id) ON DELETE CASCADE,
    title       TEXT,
    author      TEXT,
    year        TEXT,
    language    TEXT,
    comment     TEXT NOT NULL DEFAULT '',
    tags        TEXT NOT NULL DEFAULT ''  -- joined by newlines
) STRICT;

-- Documents taken out, with what brings them back: the file, and what a person did to them.
CREATE TABLE trash (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    title       TEXT NOT NULL,
    file_name   TEXT NOT NULL,
    source_path TEXT NOT NULL,
    sha256      TEXT NOT NULL,
    size_bytes  INTEGER NOT NULL,
    content     BLOB NOT NULL,
    password    TEXT NOT NULL,
    kept        TEXT NOT NULL,            -- JSON: details, marks, collections
    trashed_at  REAL NOT NULL
) STRICT;

CREATE TABLE watched_folder (
    path     TEXT PRIMARY KEY NOT NULL,
    added_at REAL NOT NULL
) STRICT, WITHOUT ROWID;
