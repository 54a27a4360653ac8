-- Versions of a document's file. A changed file replaces the text only after it was read; the
-- content before the last change is kept. Both outlive a document in the trash, so no foreign keys.

-- What is to be read, or could not be read, of a document that has a text. `content` is NULL where
-- the bytes are those of `original` (read again) or of `previous_version` (restored).
CREATE TABLE new_version (
    document_id INTEGER PRIMARY KEY,
    sha256      TEXT NOT NULL,
    size_bytes  INTEGER NOT NULL,
    found_at    REAL NOT NULL,
    state       TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'refused')),
    reason      TEXT NOT NULL DEFAULT '',      -- why it was refused
    n_chars     INTEGER NOT NULL DEFAULT 0,    -- of its text, 0 if it has none
    is_accepted INTEGER NOT NULL DEFAULT 0,    -- the user wants it, however short
    content     BLOB
) STRICT;

CREATE TABLE previous_version (
    document_id INTEGER PRIMARY KEY,
    sha256      TEXT NOT NULL,
    size_bytes  INTEGER NOT NULL,
    taken_at    REAL NOT NULL,                 -- when this content came into the library
    replaced_at REAL NOT NULL,
    content     BLOB NOT NULL
) STRICT;

-- Which version the user chose: curation, written inside `edit` and so undoable.
CREATE TABLE version_choice (
    document_id INTEGER PRIMARY KEY,
    sha256      TEXT NOT NULL,                 -- of the version that was chosen
    declined    TEXT NOT NULL,                 -- of the one that it was chosen over, '' if none
    before      TEXT NOT NULL                  -- of the version that the text had until then
) STRICT;

CREATE TRIGGER versions_of_document AFTER DELETE ON document
WHEN NOT EXISTS (SELECT 1 FROM trash WHERE document_id = old.id) BEGIN
    DELETE FROM new_version WHERE document_id = old.id;
    DELETE FROM previous_version WHERE document_id = old.id;
    DELETE FROM version_choice WHERE document_id = old.id;
END;
CREATE TRIGGER versions_of_trash AFTER DELETE ON trash
WHEN NOT EXISTS (SELECT 1 FROM document WHERE id = old.document_id) BEGIN
    DELETE FROM new_version WHERE document_id = old.document_id;
    DELETE FROM previous_version WHERE document_id = old.document_id;
    DELETE FROM version_choice WHERE document_id = old.document_id;
END;

-- When the file of the present text came into the library; NULL: at `added_at`.
ALTER TABLE document ADD COLUMN taken_at REAL;
-- The sha256 of all contents that it had, joined by newlines: what the user decided refers to them.
ALTER TABLE document ADD COLUMN sha256_former TEXT NOT NULL DEFAULT '';
UPDATE document SET sha256_former = sha256_before WHERE sha256_before <> '';
CREATE INDEX document_by_file ON document(source_path, file_name);

-- Documents with a text that wait to be read again keep it until then.
INSERT INTO new_version(document_id, sha256, size_bytes, found_at)
SELECT d.id, d.sha256, d.size_bytes, d.added_at
  FROM document d JOIN document_text t ON t.document_id = d.id
 WHERE d.state IN ('waiting', 'reading') AND d.row_number = 0;
UPDATE document SET state = 'ready' WHERE id IN (SELECT document_id FROM new_version);

-- A document whose indexing ended with the program comes after all others.
DROP INDEX job_by_order;
CREATE INDEX job_by_order ON job(kind, attempts, state, priority DESC, target_id);
