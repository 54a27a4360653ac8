-- Figures of documents: what is drawn where, with the offsets of the caption in the text. Pixels are
-- drawn from the document's file when they are shown.
CREATE TABLE figure (
    document_id INTEGER NOT NULL REFERENCES document(id) ON DELETE CASCADE,
    number      INTEGER NOT NULL,              -- in the order of the text
    start       INTEGER NOT NULL,
    end         INTEGER NOT NULL,              -- equal to start: it has no caption
    label       TEXT NOT NULL,                 -- "figure 3", '' without a number
    caption     TEXT NOT NULL,                 -- as in the text, for searching
    alt         TEXT NOT NULL,                 -- what the file says instead of the picture
    page_index  INTEGER,
    box_left    REAL, box_top REAL, box_right REAL, box_bottom REAL,  -- shares of the page
    path        TEXT NOT NULL,                 -- of the picture inside the file, '' with a box
    width       INTEGER NOT NULL,              -- pixels
    height      INTEGER NOT NULL,
    state       TEXT NOT NULL DEFAULT 'waiting'  -- of reading the text in it
                CHECK (state IN ('waiting', 'read', 'failed', 'left')),
    attempts    INTEGER NOT NULL DEFAULT 0,    -- that ended with the program
    words       TEXT NOT NULL DEFAULT '',      -- the text in it
    PRIMARY KEY (document_id, number)
) STRICT, WITHOUT ROWID;
CREATE INDEX figure_by_state ON figure(state, document_id, number);

CREATE TABLE trashed_figure (
    trash_id    INTEGER NOT NULL REFERENCES trash(id) ON DELETE CASCADE,
    document_id INTEGER NOT NULL,
    number      INTEGER NOT NULL,
    start       INTEGER NOT NULL,
    end         INTEGER NOT NULL,
    label       TEXT NOT NULL,
    caption     TEXT NOT NULL,
    alt         TEXT NOT NULL,
    page_index  INTEGER,
    box_left    REAL, box_top REAL, box_right REAL, box_bottom REAL,
    path        TEXT NOT NULL,
    width       INTEGER NOT NULL,
    height      INTEGER NOT NULL,
    state       TEXT NOT NULL,
    attempts    INTEGER NOT NULL,
    words       TEXT NOT NULL,
    PRIMARY KEY (trash_id, document_id, number)
) STRICT, WITHOUT ROWID;

-- Which rules found the figures of a document: those of older ones are found in the background.
ALTER TABLE document ADD COLUMN figure_rules INTEGER NOT NULL DEFAULT 0;
ALTER TABLE trashed_document ADD COLUMN figure_rules INTEGER NOT NULL DEFAULT 0;
