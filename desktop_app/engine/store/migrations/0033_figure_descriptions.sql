-- What a model wrote about the pictures of documents: evidence of its own kind, no text of the
-- document. A picture is known by its place in the file, so that a picture that stands twice has one
-- description, and figures that are found again keep theirs.
CREATE TABLE figure_description (
    document_id INTEGER NOT NULL REFERENCES document(id) ON DELETE CASCADE,
    place       TEXT NOT NULL,                 -- page, box and path of the figure
    state       TEXT NOT NULL DEFAULT 'waiting'
                CHECK (state IN ('waiting', 'done', 'failed')),
    attempts    INTEGER NOT NULL DEFAULT 0,    -- that ended with the program
    reason      TEXT NOT NULL DEFAULT '',      -- why there is none
    text        TEXT NOT NULL DEFAULT '',
    model       TEXT NOT NULL DEFAULT '',      -- the name of the model that wrote it
    described_at REAL NOT NULL DEFAULT 0,
    seconds     REAL NOT NULL DEFAULT 0,       -- that it took
    PRIMARY KEY (document_id, place)
) STRICT, WITHOUT ROWID;
CREATE INDEX figure_description_by_state ON figure_description(state, document_id);

CREATE TABLE trashed_figure_description (
    trash_id    INTEGER NOT NULL REFERENCES trash(id) ON DELETE CASCADE,
    document_id INTEGER NOT NULL,
    place       TEXT NOT NULL,
    state       TEXT NOT NULL,
    attempts    INTEGER NOT NULL,
    reason      TEXT NOT NULL,
    text        TEXT NOT NULL,
    model       TEXT NOT NULL,
    described_at REAL NOT NULL,
    seconds     REAL NOT NULL,
    PRIMARY KEY (trash_id, document_id, place)
) STRICT, WITHOUT ROWID;

-- Descriptions that the user wrote or deleted: a model that describes the picture again leaves them.
CREATE TABLE description_correction (
    document    TEXT NOT NULL,                 -- sha256 of the document's file
    place       TEXT NOT NULL,
    text        TEXT NOT NULL,                 -- '' for a deleted one
    PRIMARY KEY (document, place)
) STRICT, WITHOUT ROWID;
