-- Everything that the user does is undoable: excluding a document from answers is a decision of its
-- own, and a document in the trash keeps its rows, so that restoring it reads nothing again.
CREATE TABLE excluded_document (
    document_id INTEGER PRIMARY KEY REFERENCES document(id) ON DELETE CASCADE
) STRICT;
INSERT INTO excluded_document SELECT id FROM document WHERE set_aside <> 0;
CREATE TRIGGER document_excluded AFTER INSERT ON excluded_document BEGIN
    UPDATE document SET set_aside = 1 WHERE id = new.document_id;
END;
CREATE TRIGGER document_included AFTER DELETE ON excluded_document BEGIN
    UPDATE document SET set_aside = 0 WHERE id = old.document_id;
END;

-- Ids of chats are not used again, so that a deleted one can come back.
ALTER TABLE library_state ADD COLUMN last_chat_id INTEGER NOT NULL DEFAULT 0;
ALTER TABLE library_state ADD COLUMN last_message_id INTEGER NOT NULL DEFAULT 0;
ALTER TABLE library_state ADD COLUMN last_citation_id INTEGER NOT NULL DEFAULT 0;
UPDATE library_state SET
    last_chat_id = (SELECT coalesce(max(id), 0) FROM chat),
    last_message_id = (SELECT coalesce(max(id), 0) FROM message),
    last_citation_id = (SELECT coalesce(max(id), 0) FROM citation);
CREATE TRIGGER id_of_chat AFTER INSERT ON chat BEGIN
    UPDATE library_state SET last_chat_id = max(last_chat_id, new.id);
END;
CREATE TRIGGER id_of_message AFTER INSERT ON message BEGIN
    UPDATE library_state SET last_message_id = max(last_message_id, new.id);
END;
CREATE TRIGGER id_of_citation AFTER INSERT ON citation BEGIN
    UPDATE library_state SET last_citation_id = max(last_citation_id, new.id);
END;

-- The rows of documents in the trash: `trashed_x` has the columns of `x`.
CREATE TABLE trashed_document (
    trash_id         INTEGER PRIMARY KEY REFERENCES trash(id) ON DELETE CASCADE,
    id               INTEGER NOT NULL,
    title            TEXT NOT NULL,
    file_name        TEXT NOT NULL,
    source_path      TEXT NOT NULL,
    format           TEXT NOT NULL,
    sha256           TEXT NOT NULL,
    size_bytes       INTEGER NOT NULL,
    row_number       INTEGER NOT NULL,
    language         TEXT NOT NULL,
    author           TEXT NOT NULL,
    year             TEXT NOT NULL,
    n_chars          INTEGER NOT NULL,
    body_start       INTEGER NOT NULL,
    body_end         INTEGER NOT NULL,
    notes            TEXT NOT NULL,
    state            TEXT NOT NULL,
    reason           TEXT NOT NULL,
    set_aside        INTEGER NOT NULL,
    duplicate_of     INTEGER,
    added_at         REAL NOT NULL,
    sha256_before    TEXT NOT NULL,
    chunking         TEXT NOT NULL,
    reading_position TEXT NOT NULL,
    file_title       TEXT,
    file_author      TEXT,
    file_year        TEXT,
    file_language    TEXT,
    taken_at         REAL,
    sha256_former    TEXT NOT NULL
) STRICT;
CREATE TABLE trashed_document_text (
    trash_id    INTEGER PRIMARY KEY REFERENCES trash(id) ON DELETE CASCADE,
    document_id INTEGER NOT NULL,
    text        TEXT NOT NULL
) STRICT;
CREATE TABLE trashed_text_digest (
    trash_id    INTEGER PRIMARY KEY REFERENCES trash(id) ON DELETE CASCADE,
    document_id INTEGER NOT NULL,
    sha256      TEXT NOT NULL
) STRICT;
CREATE TABLE trashed_page (
    trash_id    INTEGER NOT NULL REFERENCES trash(id) ON DELETE CASCADE,
    document_id INTEGER NOT NULL,
    page_index  INTEGER NOT NULL,
    label       TEXT NOT NULL,
    start       INTEGER NOT NULL,
    end         INTEGER NOT NULL,
    PRIMARY KEY (trash_id, page_index)
) STRICT, WITHOUT ROWID;
CREATE TABLE trashed_heading (
    trash_id    INTEGER NOT NULL REFERENCES trash(id) ON DELETE CASCADE,
    document_id INTEGER NOT NULL,
    order_no    INTEGER NOT NULL,
    level       INTEGER NOT NULL,
    title       TEXT NOT NULL,
    start       INTEGER NOT NULL,
    page_index  INTEGER,
    PRIMARY KEY (trash_id, order_no)
) STRICT, WITHOUT ROWID;
CREATE TABLE trashed_chunk (
    trash_id     INTEGER NOT NULL REFERENCES trash(id) ON DELETE CASCADE,
    id           INTEGER NOT NULL,
    document_id  INTEGER NOT NULL,
    order_no     INTEGER NOT NULL,
    start        INTEGER NOT NULL,
    end          INTEGER NOT NULL,
    n_tokens     INTEGER NOT NULL,
    heading_path TEXT NOT NULL,
    page_first   INTEGER,
    page_last    INTEGER,
    text         TEXT NOT NULL,
    PRIMARY KEY (trash_id, id)
) STRICT, WITHOUT ROWID;
CREATE TABLE trashed_window (
    trash_id    INTEGER NOT NULL REFERENCES trash(id) ON DELETE CASCADE,
    id          INTEGER NOT NULL,
    chunk_id    INTEGER NOT NULL,
    document_id INTEGER NOT NULL,
    start       INTEGER NOT NULL,
    end         INTEGER NOT NULL,
    PRIMARY KEY (trash_id, id)
) STRICT, WITHOUT ROWID;
CREATE TABLE trashed_embedding (
    trash_id  INTEGER NOT NULL REFERENCES trash(id) ON DELETE CASCADE,
    window_id INTEGER NOT NULL,
    vector    BLOB NOT NULL,
    PRIMARY KEY (trash_id, window_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE trashed_extraction (
    trash_id       INTEGER NOT NULL REFERENCES trash(id) ON DELETE CASCADE,
    id             INTEGER NOT NULL,
    chunk_id       INTEGER NOT NULL,
    strategy       TEXT NOT NULL,
    model          TEXT NOT NULL,
    prompt_version TEXT NOT NULL,
    state          TEXT NOT NULL,
    reason         TEXT NOT NULL,
    n_tokens       INTEGER NOT NULL,
    seconds        REAL NOT NULL,
    created_at     REAL NOT NULL,
    n_found        INTEGER NOT NULL,
    PRIMARY KEY (trash_id, id)
) STRICT, WITHOUT ROWID;
CREATE TABLE trashed_mention (
    trash_id       INTEGER NOT NULL REFERENCES trash(id) ON DELETE CASCADE,
    id             INTEGER NOT NULL,
    extraction_id  INTEGER NOT NULL,
    chunk_id       INTEGER NOT NULL,
    document_id    INTEGER NOT NULL,
    name_id        INTEGER NOT NULL,
    type           TEXT NOT NULL,
    start          INTEGER NOT NULL,
    end            INTEGER NOT NULL,
    sentence_start INTEGER NOT NULL,
    sentence_end   INTEGER NOT NULL,
    weight         REAL NOT NULL,
    PRIMARY KEY (trash_id, id)
) STRICT, WITHOUT ROWID;
CREATE TABLE trashed_claimed_relation (
    trash_id      INTEGER NOT NULL REFERENCES trash(id) ON DELETE CASCADE,
    id            INTEGER NOT NULL,
    extraction_id INTEGER NOT NULL,
    chunk_id      INTEGER NOT NULL,
    document_id   INTEGER NOT NULL,
    source_id     INTEGER NOT NULL,
    target_id     INTEGER NOT NULL,
    start         INTEGER NOT NULL,
    end           INTEGER NOT NULL,
    weight        REAL NOT NULL,
    description   TEXT NOT NULL,
    keywords      TEXT NOT NULL,
    kind          TEXT NOT NULL,
    confidence    REAL NOT NULL,
    PRIMARY KEY (trash_id, id)
) STRICT, WITHOUT ROWID;
CREATE TABLE trashed_also_called (
    trash_id      INTEGER NOT NULL REFERENCES trash(id) ON DELETE CASCADE,
    id            INTEGER NOT NULL,
    extraction_id INTEGER NOT NULL,
    name_id       INTEGER NOT NULL,
    other_id      INTEGER NOT NULL,
    PRIMARY KEY (trash_id, id)
) STRICT, WITHOUT ROWID;
CREATE TABLE trashed_name_claim (
    trash_id      INTEGER NOT NULL REFERENCES trash(id) ON DELETE CASCADE,
    id            INTEGER NOT NULL,
    extraction_id INTEGER NOT NULL,
    chunk_id      INTEGER NOT NULL,
    document_id   INTEGER NOT NULL,
    name_id       INTEGER NOT NULL,
    type          TEXT NOT NULL,
    description   TEXT NOT NULL,
    confidence    REAL NOT NULL,
    PRIMARY KEY (trash_id, id)
) STRICT, WITHOUT ROWID;
CREATE TABLE trashed_text_claim (
    trash_id      INTEGER NOT NULL REFERENCES trash(id) ON DELETE CASCADE,
    id            INTEGER NOT NULL,
    extraction_id INTEGER NOT NULL,
    chunk_id      INTEGER NOT NULL,
    document_id   INTEGER NOT NULL,
    subject_id    INTEGER NOT NULL,
    object_id     INTEGER,
    type          TEXT NOT NULL,
    status        TEXT NOT NULL,
    start_date    TEXT NOT NULL,
    end_date      TEXT NOT NULL,
    description   TEXT NOT NULL,
    start         INTEGER NOT NULL,
    end           INTEGER NOT NULL,
    PRIMARY KEY (trash_id, id)
) STRICT, WITHOUT ROWID;
CREATE TABLE trashed_enrich_wanted (
    trash_id    INTEGER NOT NULL REFERENCES trash(id) ON DELETE CASCADE,
    chunk_id    INTEGER NOT NULL,
    document_id INTEGER NOT NULL,
    priority    INTEGER NOT NULL,
    importance  REAL NOT NULL,
    order_no    INTEGER NOT NULL,
    PRIMARY KEY (trash_id, chunk_id)
) STRICT, WITHOUT ROWID;
