-- Enrichment: what a chat model says of a chunk, what is still to be asked, and what the graph
-- shows of it. A chunk has at most one finished extraction by a model; its relations then take
-- the place of the instant ones.
ALTER TABLE extraction ADD COLUMN n_found INTEGER NOT NULL DEFAULT 0;
ALTER TABLE claimed_relation ADD COLUMN confidence REAL NOT NULL DEFAULT 0;

-- What a model says of one name in one chunk; type "none" strikes it out.
CREATE TABLE name_claim (
    id            INTEGER PRIMARY KEY,
    extraction_id INTEGER NOT NULL REFERENCES extraction(id) ON DELETE CASCADE,
    chunk_id      INTEGER NOT NULL REFERENCES chunk(id) ON DELETE CASCADE,
    document_id   INTEGER NOT NULL REFERENCES document(id) ON DELETE CASCADE,
    name_id       INTEGER NOT NULL REFERENCES name(id),
    type          TEXT NOT NULL DEFAULT '',        -- '' where it was not asked
    description   TEXT NOT NULL DEFAULT '',
    confidence    REAL NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX name_claim_by_extraction ON name_claim(extraction_id);
CREATE INDEX name_claim_by_name ON name_claim(name_id);
CREATE INDEX name_claim_by_chunk ON name_claim(chunk_id);
CREATE INDEX name_claim_by_document ON name_claim(document_id);

-- A claim that the text makes about somebody (GraphRAG's covariates); off by default.
CREATE TABLE text_claim (
    id            INTEGER PRIMARY KEY,
    extraction_id INTEGER NOT NULL REFERENCES extraction(id) ON DELETE CASCADE,
    chunk_id      INTEGER NOT NULL REFERENCES chunk(id) ON DELETE CASCADE,
    document_id   INTEGER NOT NULL REFERENCES document(id) ON DELETE CASCADE,
    subject_id    INTEGER NOT NULL REFERENCES name(id),
    object_id     INTEGER REFERENCES name(id),     -- NULL where it is about nobody else
    type          TEXT NOT NULL,
    status        TEXT NOT NULL,                   -- true false suspected
    start_date    TEXT NOT NULL DEFAULT '',
    end_date      TEXT NOT NULL DEFAULT '',
    description   TEXT NOT NULL DEFAULT '',
    start         INTEGER NOT NULL,                -- of the quoted sentence
    end           INTEGER NOT NULL
) STRICT;
CREATE INDEX text_claim_by_extraction ON text_claim(extraction_id);
CREATE INDEX text_claim_by_subject ON text_claim(subject_id);
CREATE INDEX text_claim_by_chunk ON text_claim(chunk_id);
CREATE INDEX text_claim_by_document ON text_claim(document_id);

-- Chunks that a person wants enriched and that are not done; higher priority comes first.
CREATE TABLE enrich_wanted (
    chunk_id    INTEGER PRIMARY KEY REFERENCES chunk(id) ON DELETE CASCADE,
    document_id INTEGER NOT NULL REFERENCES document(id) ON DELETE CASCADE,
    priority    INTEGER NOT NULL DEFAULT 0,
    importance  REAL NOT NULL DEFAULT 0,           -- how central its names are
    order_no    INTEGER NOT NULL
) STRICT;
CREATE INDEX enrich_wanted_by_priority ON enrich_wanted(priority DESC, importance DESC);
CREATE INDEX enrich_wanted_by_document ON enrich_wanted(document_id);

-- Summaries of an entity's or relation's fragments, keyed by a hash of the fragments: the graph
-- takes the one that fits what the evidence holds now.
CREATE TABLE summary (
    key         TEXT PRIMARY KEY NOT NULL,
    text        TEXT NOT NULL,
    model       TEXT NOT NULL,
    n_fragments INTEGER NOT NULL,
    created_at  REAL NOT NULL
) STRICT, WITHOUT ROWID;

-- How much of an entity or relation comes from a model: chunks that say something of it.
ALTER TABLE entity ADD COLUMN n_enriched INTEGER NOT NULL DEFAULT 0;
ALTER TABLE relation ADD COLUMN n_enriched INTEGER NOT NULL DEFAULT 0;
ALTER TABLE relation ADD COLUMN confidence REAL NOT NULL DEFAULT 0;

-- The relations that stand: where a model has finished a chunk, its own instead of the instant
-- ones.
CREATE VIEW standing_claim AS
SELECT q.* FROM claimed_relation q JOIN extraction x ON x.id = q.extraction_id
 WHERE x.state = 'done' AND (x.strategy <> 'instant' OR NOT EXISTS (
       SELECT 1 FROM extraction m
        WHERE m.chunk_id = x.chunk_id AND m.strategy <> 'instant' AND m.state = 'done'));
