-- Source: what was read. Never edited.
CREATE TABLE document (
    id            INTEGER PRIMARY KEY,
    title         TEXT NOT NULL,
    file_name     TEXT NOT NULL,
    source_path   TEXT NOT NULL DEFAULT '',
    format        TEXT NOT NULL DEFAULT '',
    sha256        TEXT NOT NULL DEFAULT '',
    size_bytes    INTEGER NOT NULL DEFAULT 0,
    row_number    INTEGER NOT NULL DEFAULT 0,      -- which row of a jsonl or csv file, 0 otherwise
    language      TEXT NOT NULL DEFAULT 'und',
    author        TEXT NOT NULL DEFAULT '',
    year          TEXT NOT NULL DEFAULT '',
    n_chars       INTEGER NOT NULL DEFAULT 0,
    body_start    INTEGER NOT NULL DEFAULT 0,
    body_end      INTEGER NOT NULL DEFAULT 0,
    notes         TEXT NOT NULL DEFAULT '[]',      -- JSON list of sentences
    state         TEXT NOT NULL DEFAULT 'waiting', -- waiting reading indexing ready failed
    reason        TEXT NOT NULL DEFAULT '',        -- why it failed
    set_aside     INTEGER NOT NULL DEFAULT 0,
    duplicate_of  INTEGER REFERENCES document(id) ON DELETE SET NULL,
    added_at      REAL NOT NULL
) STRICT;
CREATE INDEX document_by_hash ON document(sha256);
CREATE INDEX document_by_state ON document(state);

CREATE TABLE original (
    document_id INTEGER PRIMARY KEY REFERENCES document(id) ON DELETE CASCADE,
    content     BLOB NOT NULL,
    password    TEXT NOT NULL DEFAULT ''
) STRICT;

CREATE TABLE document_text (
    document_id INTEGER PRIMARY KEY REFERENCES document(id) ON DELETE CASCADE,
    text        TEXT NOT NULL
) STRICT;

CREATE TABLE page (
    document_id INTEGER NOT NULL REFERENCES document(id) ON DELETE CASCADE,
    page_index  INTEGER NOT NULL,
    label       TEXT NOT NULL,
    start       INTEGER NOT NULL,
    end         INTEGER NOT NULL,
    PRIMARY KEY (document_id, page_index)
) STRICT, WITHOUT ROWID;

CREATE TABLE heading (
    document_id INTEGER NOT NULL REFERENCES document(id) ON DELETE CASCADE,
    order_no    INTEGER NOT NULL,
    level       INTEGER NOT NULL,
    title       TEXT NOT NULL,
    start       INTEGER NOT NULL,
    page_index  INTEGER,
    PRIMARY KEY (document_id, order_no)
) STRICT, WITHOUT ROWID;

CREATE TABLE chunk (
    id           INTEGER PRIMARY KEY,
    document_id  INTEGER NOT NULL REFERENCES document(id) ON DELETE CASCADE,
    order_no     INTEGER NOT NULL,
    start        INTEGER NOT NULL,
    end          INTEGER NOT NULL,
    n_tokens     INTEGER NOT NULL,
    heading_path TEXT NOT NULL DEFAULT '',
    page_first   INTEGER,
    page_last    INTEGER,
    text         TEXT NOT NULL,
    UNIQUE (document_id, order_no)
) STRICT;

-- A window is the unit of embedding: about three sentences of one chunk.
CREATE TABLE window (
    id          INTEGER PRIMARY KEY,
    chunk_id    INTEGER NOT NULL REFERENCES chunk(id) ON DELETE CASCADE,
    document_id INTEGER NOT NULL REFERENCES document(id) ON DELETE CASCADE,
    start       INTEGER NOT NULL,
    end         INTEGER NOT NULL
) STRICT;
CREATE INDEX window_by_chunk ON window(chunk_id);
CREATE INDEX window_by_document ON window(document_id);

-- Evidence: what one chunk says, by one strategy. Written in one transaction a chunk.
CREATE TABLE extraction (
    id             INTEGER PRIMARY KEY,
    chunk_id       INTEGER NOT NULL REFERENCES chunk(id) ON DELETE CASCADE,
    strategy       TEXT NOT NULL,
    model          TEXT NOT NULL DEFAULT '',
    prompt_version TEXT NOT NULL DEFAULT '',
    state          TEXT NOT NULL DEFAULT 'done',   -- done failed
    reason         TEXT NOT NULL DEFAULT '',
    n_tokens       INTEGER NOT NULL DEFAULT 0,
    seconds        REAL NOT NULL DEFAULT 0,
    created_at     REAL NOT NULL,
    UNIQUE (chunk_id, strategy, model, prompt_version)
) STRICT;

-- Every name ever seen. Rows stay, so that a name keeps its id when its documents come back;
-- sense tells apart people of one name after a split.
CREATE TABLE name (
    id    INTEGER PRIMARY KEY,
    text  TEXT NOT NULL,
    sense INTEGER NOT NULL DEFAULT 0,
    key   TEXT NOT NULL,
    UNIQUE (text, sense)
) STRICT;
CREATE INDEX name_by_key ON name(key);

CREATE TABLE mention (
    id             INTEGER PRIMARY KEY,
    extraction_id  INTEGER NOT NULL REFERENCES extraction(id) ON DELETE CASCADE,
    chunk_id       INTEGER NOT NULL REFERENCES chunk(id) ON DELETE CASCADE,
    document_id    INTEGER NOT NULL REFERENCES document(id) ON DELETE CASCADE,
    name_id        INTEGER NOT NULL REFERENCES name(id),
    type           TEXT NOT NULL,
    start          INTEGER NOT NULL,
    end            INTEGER NOT NULL,
    sentence_start INTEGER NOT NULL,
    sentence_end   INTEGER NOT NULL,
    weight         REAL NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX mention_by_name ON mention(name_id, document_id, start);
CREATE INDEX mention_by_document ON mention(document_id, start);
CREATE INDEX mention_by_chunk ON mention(chunk_id);
CREATE INDEX mention_by_extraction ON mention(extraction_id);

CREATE TABLE claimed_relation (
    id             INTEGER PRIMARY KEY,
    extraction_id  INTEGER NOT NULL REFERENCES extraction(id) ON DELETE CASCADE,
    chunk_id       INTEGER NOT NULL REFERENCES chunk(id) ON DELETE CASCADE,
    document_id    INTEGER NOT NULL REFERENCES document(id) ON DELETE CASCADE,
    source_id      INTEGER NOT NULL REFERENCES name(id),
    target_id      INTEGER NOT NULL REFERENCES name(id),
    start          INTEGER NOT NULL,
    end            INTEGER NOT NULL,
    weight         REAL NOT NULL,
    description    TEXT NOT NULL DEFAULT '',
    keywords       TEXT NOT NULL DEFAULT '',       -- words joined by a newline
    kind           TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX claimed_by_source ON claimed_relation(source_id);
CREATE INDEX claimed_by_target ON claimed_relation(target_id);
CREATE INDEX claimed_by_chunk ON claimed_relation(chunk_id);
CREATE INDEX claimed_by_document ON claimed_relation(document_id);
CREATE INDEX claimed_by_extraction ON claimed_relation(extraction_id);

-- Two names that the text itself says are one ("A, known as B").
CREATE TABLE also_called (
    id            INTEGER PRIMARY KEY,
    extraction_id INTEGER NOT NULL REFERENCES extraction(id) ON DELETE CASCADE,
    name_id       INTEGER NOT NULL REFERENCES name(id),
    other_id      INTEGER NOT NULL REFERENCES name(id)
) STRICT;
CREATE INDEX also_called_by_extraction ON also_called(extraction_id);

-- Curation: what the person decided. Keyed by names as text, so that it applies to what is
-- read tomorrow. Written only through `edit`, hence undoable.
CREATE TABLE merged (
    keep TEXT NOT NULL,
    dropped TEXT NOT NULL,
    PRIMARY KEY (keep, dropped)
) STRICT, WITHOUT ROWID;
CREATE TABLE never_merged (
    name  TEXT NOT NULL,
    other TEXT NOT NULL,
    PRIMARY KEY (name, other)
) STRICT, WITHOUT ROWID;
CREATE TABLE entity_edit (
    name        TEXT PRIMARY KEY NOT NULL,         -- any name of the entity when it was edited
    new_name    TEXT,
    type        TEXT,
    description TEXT
) STRICT, WITHOUT ROWID;
CREATE TABLE alias (
    name  TEXT NOT NULL,
    alias TEXT NOT NULL,
    PRIMARY KEY (name, alias)
) STRICT, WITHOUT ROWID;
CREATE TABLE split_mention (
    name        TEXT NOT NULL,
    sense       INTEGER NOT NULL,
    document    TEXT NOT NULL,                     -- sha256 of the document
    start       INTEGER NOT NULL,
    PRIMARY KEY (name, document, start)
) STRICT, WITHOUT ROWID;
CREATE TABLE deleted_name (
    name TEXT PRIMARY KEY NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE hand_relation (
    source      TEXT NOT NULL,
    target      TEXT NOT NULL,
    description TEXT NOT NULL DEFAULT '',
    keywords    TEXT NOT NULL DEFAULT '',
    weight      REAL NOT NULL DEFAULT 1,
    deleted     INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (source, target)
) STRICT, WITHOUT ROWID;
CREATE TABLE collection (
    id   INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
) STRICT;
CREATE TABLE collection_document (
    collection_id INTEGER NOT NULL REFERENCES collection(id) ON DELETE CASCADE,
    document_id   INTEGER NOT NULL REFERENCES document(id) ON DELETE CASCADE,
    PRIMARY KEY (collection_id, document_id)
) STRICT, WITHOUT ROWID;

-- Graph: derived from evidence and curation; can be rebuilt at any time to the same result.
-- An entity's id is the smallest name id of its group.
CREATE TABLE entity (
    id          INTEGER PRIMARY KEY,
    name        TEXT NOT NULL,
    key         TEXT NOT NULL,
    type        TEXT NOT NULL,
    description TEXT NOT NULL DEFAULT '',
    n_mentions  INTEGER NOT NULL,
    n_relations INTEGER NOT NULL,
    n_documents INTEGER NOT NULL,
    edited      INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX entity_by_key ON entity(key);
CREATE INDEX entity_by_importance ON entity(n_relations DESC, n_mentions DESC);
CREATE TABLE entity_name (
    name_id   INTEGER PRIMARY KEY REFERENCES name(id),
    entity_id INTEGER NOT NULL REFERENCES entity(id) ON DELETE CASCADE
) STRICT;
CREATE INDEX entity_name_by_entity ON entity_name(entity_id);
CREATE TABLE relation (
    id          INTEGER PRIMARY KEY,
    source_id   INTEGER NOT NULL REFERENCES entity(id) ON DELETE CASCADE,
    target_id   INTEGER NOT NULL REFERENCES entity(id) ON DELETE CASCADE,
    weight      REAL NOT NULL,                     -- evidence, damped by how common both are
    n_evidence  INTEGER NOT NULL,
    description TEXT NOT NULL DEFAULT '',
    keywords    TEXT NOT NULL DEFAULT '',
    kind        TEXT NOT NULL DEFAULT '',
    best_claim  INTEGER,                           -- claimed_relation with the best sentence
    UNIQUE (source_id, target_id)
) STRICT;
CREATE INDEX relation_by_target ON relation(target_id);
CREATE INDEX relation_by_weight ON relation(weight DESC);
CREATE TABLE community (
    id        INTEGER PRIMARY KEY,
    level     INTEGER NOT NULL,
    parent_id INTEGER REFERENCES community(id) ON DELETE CASCADE,
    title     TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE TABLE community_member (
    community_id INTEGER NOT NULL REFERENCES community(id) ON DELETE CASCADE,
    entity_id    INTEGER NOT NULL REFERENCES entity(id) ON DELETE CASCADE,
    PRIMARY KEY (community_id, entity_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE report (
    community_id INTEGER PRIMARY KEY REFERENCES community(id) ON DELETE CASCADE,
    title        TEXT NOT NULL DEFAULT '',
    content      TEXT NOT NULL DEFAULT '{}',
    stale        INTEGER NOT NULL DEFAULT 1
) STRICT;

-- Index: derived, can be dropped. `embedding` feeds the vec0 table by triggers; the vec0 table
-- is made when a model, and so a dimension, is chosen.
CREATE TABLE embedding (
    window_id INTEGER PRIMARY KEY REFERENCES window(id) ON DELETE CASCADE,
    vector    BLOB NOT NULL
) STRICT;
CREATE VIRTUAL TABLE chunk_fts USING fts5(
    tokens, content='', contentless_delete=1, tokenize='porter unicode61 remove_diacritics 2'
);
CREATE TRIGGER chunk_fts_insert AFTER INSERT ON chunk BEGIN
    INSERT INTO chunk_fts(rowid, tokens) VALUES (new.id, search_tokens(new.text));
END;
CREATE TRIGGER chunk_fts_delete AFTER DELETE ON chunk BEGIN
    DELETE FROM chunk_fts WHERE rowid = old.id;
END;
CREATE TABLE layout (
    view      TEXT NOT NULL,
    entity_id INTEGER NOT NULL,
    x         REAL NOT NULL,
    y         REAL NOT NULL,
    pinned    INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (view, entity_id)
) STRICT, WITHOUT ROWID;

-- Talk.
CREATE TABLE chat (
    id         INTEGER PRIMARY KEY,
    title      TEXT NOT NULL DEFAULT '',
    created_at REAL NOT NULL,
    updated_at REAL NOT NULL
) STRICT;
CREATE TABLE message (
    id         INTEGER PRIMARY KEY,
    chat_id    INTEGER NOT NULL REFERENCES chat(id) ON DELETE CASCADE,
    role       TEXT NOT NULL,
    text       TEXT NOT NULL,
    model      TEXT NOT NULL DEFAULT '',
    prompt     TEXT NOT NULL DEFAULT '',
    trace      TEXT NOT NULL DEFAULT '{}',         -- JSON: how the answer came about
    stopped    INTEGER NOT NULL DEFAULT 0,
    seconds    REAL NOT NULL DEFAULT 0,
    created_at REAL NOT NULL
) STRICT;
CREATE INDEX message_by_chat ON message(chat_id);
CREATE TABLE citation (
    id          INTEGER PRIMARY KEY,
    message_id  INTEGER NOT NULL REFERENCES message(id) ON DELETE CASCADE,
    number      INTEGER NOT NULL,
    chunk_id    INTEGER NOT NULL,
    document_id INTEGER NOT NULL,
    title       TEXT NOT NULL,
    start       INTEGER NOT NULL,
    end         INTEGER NOT NULL,
    quote       TEXT NOT NULL,
    page_label  TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX citation_by_message ON citation(message_id);

-- Care.
CREATE TABLE history (
    id         INTEGER PRIMARY KEY,
    label      TEXT NOT NULL,
    changeset  BLOB NOT NULL,
    undone     INTEGER NOT NULL DEFAULT 0,
    created_at REAL NOT NULL
) STRICT;
CREATE TABLE setting (
    key   TEXT PRIMARY KEY NOT NULL,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE model_cache (
    key        TEXT PRIMARY KEY NOT NULL,
    value      TEXT NOT NULL,
    created_at REAL NOT NULL
) STRICT, WITHOUT ROWID;
