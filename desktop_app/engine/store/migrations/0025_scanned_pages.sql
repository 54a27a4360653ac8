-- Pages of documents that are pictures, and what was read of them. The document's text is made of
-- the file's own text and these pages, each time that the file is read.
CREATE TABLE scanned_page (
    document_id INTEGER NOT NULL REFERENCES document(id) ON DELETE CASCADE,
    page_index  INTEGER NOT NULL,
    state       TEXT NOT NULL DEFAULT 'waiting'
                CHECK (state IN ('waiting', 'read', 'failed', 'left')),
    attempts    INTEGER NOT NULL DEFAULT 0,    -- that ended with the program
    reason      TEXT NOT NULL DEFAULT '',      -- why it can't be read
    content     TEXT NOT NULL DEFAULT '',      -- lines, turn and certainty as JSON
    seconds     REAL NOT NULL DEFAULT 0,
    is_in_text  INTEGER NOT NULL DEFAULT 0,    -- the document's text has what was read
    PRIMARY KEY (document_id, page_index)
) STRICT, WITHOUT ROWID;
CREATE INDEX scanned_page_by_state ON scanned_page(state, document_id, page_index);

-- Lines that the user corrected, by a point inside them: pages that are read again keep them.
CREATE TABLE line_correction (
    document TEXT NOT NULL,                    -- sha256 of the document
    page_index INTEGER NOT NULL,
    x        INTEGER NOT NULL,                 -- millionths of the page's width and height
    y        INTEGER NOT NULL,
    before   TEXT NOT NULL,                    -- what was read
    text     TEXT NOT NULL,
    PRIMARY KEY (document, page_index, x, y)
) STRICT, WITHOUT ROWID;

-- The file is read again because more of its pages were read: names found in it stay.
ALTER TABLE new_version ADD COLUMN is_more INTEGER NOT NULL DEFAULT 0;

CREATE TABLE trashed_scanned_page (
    trash_id    INTEGER NOT NULL REFERENCES trash(id) ON DELETE CASCADE,
    document_id INTEGER NOT NULL,
    page_index  INTEGER NOT NULL,
    state       TEXT NOT NULL,
    attempts    INTEGER NOT NULL,
    reason      TEXT NOT NULL,
    content     TEXT NOT NULL,
    seconds     REAL NOT NULL,
    is_in_text  INTEGER NOT NULL,
    PRIMARY KEY (trash_id, page_index)
) STRICT, WITHOUT ROWID;

-- Scans that were refused before, and documents of which some pages were not read, are read again.
UPDATE document SET state = 'waiting', reason = ''
 WHERE state = 'failed' AND row_number = 0 AND reason LIKE '%Run OCR on it first%';
INSERT OR IGNORE INTO job(kind, target_id)
SELECT 'index', id FROM document WHERE state = 'waiting' AND row_number = 0;
INSERT OR IGNORE INTO new_version(document_id, sha256, size_bytes, found_at, is_accepted, is_more)
SELECT id, sha256, size_bytes, added_at, 1, 1
  FROM document
 WHERE state = 'ready' AND format = 'pdf' AND row_number = 0
   AND (notes LIKE '%pages have no text%' OR notes LIKE '%letters that can''t be read%');
INSERT OR IGNORE INTO job(kind, target_id)
SELECT 'index', document_id FROM new_version WHERE is_more = 1;
