-- The queue, the state of derived data, stored views and what belongs to one document leave
-- `setting`. Details of documents, the trash and watched folders become undoable.

-- Work that waits. Higher priority comes first; started jobs are continued before others.
CREATE TABLE job (
    kind      TEXT NOT NULL CHECK (kind IN ('index')),
    target_id INTEGER NOT NULL,                    -- of 'index': the document
    priority  INTEGER NOT NULL DEFAULT 0,
    state     TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'started')),
    attempts  INTEGER NOT NULL DEFAULT 0,          -- starts since the last progress
    PRIMARY KEY (kind, target_id)
) STRICT, WITHOUT ROWID;
INSERT INTO job(kind, target_id, priority, state)
SELECT 'index', d.id,
       coalesce((SELECT json_array_length('[' || s.value || ']') - q.key
                   FROM setting s, json_each('[' || s.value || ']') q
                  WHERE s.key = 'read_next' AND q.value = d.id), 0),
       iif(d.state = 'waiting', 'waiting', 'started')
  FROM document d WHERE d.state IN ('waiting', 'reading', 'indexing');
CREATE TRIGGER job_of_document AFTER DELETE ON document BEGIN
    DELETE FROM job WHERE kind = 'index' AND target_id = old.id;
END;

-- One row. A version of 0: never made.
CREATE TABLE library_state (
    id                  INTEGER PRIMARY KEY CHECK (id = 1),
    graph_version       INTEGER NOT NULL DEFAULT 0,
    is_graph_stale      INTEGER NOT NULL DEFAULT 0,
    communities_version INTEGER,                   -- the graph version that they were made from
    embedding_model     TEXT NOT NULL DEFAULT '',
    embedding_dim       INTEGER NOT NULL DEFAULT 0,
    last_document_id    INTEGER NOT NULL DEFAULT 0 -- ids of deleted documents are not used again
) STRICT;
INSERT INTO library_state
SELECT 1, coalesce(max(iif(key = 'graph_version', CAST(value AS INTEGER), NULL)), 0),
       coalesce(max(key = 'graph_stale'), 0),
       max(iif(key = 'communities_version', CAST(value AS INTEGER), NULL)),
       coalesce(max(iif(key = 'embedding_model', value ->> '$.name', NULL)), ''),
       coalesce(max(iif(key = 'embedding_model', value ->> '$.dim', NULL)), 0),
       (SELECT coalesce(max(id), 0) FROM document)
  FROM setting;
CREATE TRIGGER id_of_document AFTER INSERT ON document BEGIN
    UPDATE library_state SET last_document_id = max(last_document_id, new.id);
END;

-- A stored view of the graph; its positions are in `layout`.
CREATE TABLE graph_view (
    name    TEXT PRIMARY KEY NOT NULL,
    content TEXT NOT NULL                          -- JSON
) STRICT, WITHOUT ROWID;
INSERT INTO graph_view
SELECT substr(key, 12), value FROM setting WHERE substr(key, 1, 11) = 'graph view/';

-- Of one document: chunking settings (JSON, '' for the defaults), where the reader was, and what
-- the file says where the user's details replace it (NULL: not known yet).
ALTER TABLE document ADD COLUMN chunking TEXT NOT NULL DEFAULT '';
ALTER TABLE document ADD COLUMN reading_position TEXT NOT NULL DEFAULT '';
ALTER TABLE document ADD COLUMN file_title TEXT;
ALTER TABLE document ADD COLUMN file_author TEXT;
ALTER TABLE document ADD COLUMN file_year TEXT;
ALTER TABLE document ADD COLUMN file_language TEXT;
UPDATE document SET
    chunking = coalesce((SELECT value FROM setting WHERE key = 'cut:' || id), ''),
    reading_position = coalesce((SELECT value FROM setting WHERE key = 'place:' || id), '');

DELETE FROM setting WHERE key IN
    ('read_next', 'graph_version', 'graph_stale', 'communities_version', 'embedding_model')
    OR substr(key, 1, 11) = 'graph view/' OR substr(key, 1, 4) = 'cut:'
    OR substr(key, 1, 6) = 'place:';

-- The trash without the bytes of the files, so that these are in no changeset.
ALTER TABLE trash RENAME TO old_trash;
CREATE TABLE trash (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    document_id INTEGER NOT NULL,                  -- the id that the document had and gets again
    title       TEXT NOT NULL,
    file_name   TEXT NOT NULL,
    source_path TEXT NOT NULL,
    sha256      TEXT NOT NULL,
    size_bytes  INTEGER NOT NULL,
    kept        TEXT NOT NULL,                     -- JSON: details, state, marks, collections
    added_at    REAL NOT NULL,
    trashed_at  REAL NOT NULL
) STRICT;
CREATE TABLE trash_file (
    trash_id INTEGER PRIMARY KEY,
    content  BLOB NOT NULL,
    password TEXT NOT NULL
) STRICT;
INSERT INTO trash
SELECT t.id, s.last_document_id + t.id, t.title, t.file_name, t.source_path, t.sha256,
       t.size_bytes, json_set(json_remove(t.kept, '$.cut'), '$.state',
                json_array(coalesce(t.kept ->> '$.cut', ''), '', 0)),
       t.trashed_at, t.trashed_at
  FROM old_trash t, library_state s;
INSERT INTO trash_file SELECT id, content, password FROM old_trash;
UPDATE library_state
   SET last_document_id = last_document_id + (SELECT coalesce(max(id), 0) FROM trash);
DROP TABLE old_trash;
