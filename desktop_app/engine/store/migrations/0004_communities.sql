-- Communities: the first version of these tables was never filled.
DROP TABLE report;
DROP TABLE community_member;
DROP TABLE community;

-- Derived from the graph; an id goes on as long as half of the members do, and is given once.
CREATE TABLE community (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    level       INTEGER NOT NULL,                  -- 0 is the coarsest
    parent_id   INTEGER REFERENCES community(id) ON DELETE SET NULL,
    title       TEXT NOT NULL DEFAULT '',          -- of its middle and its key words
    key_words   TEXT NOT NULL DEFAULT '',          -- joined by newlines
    top_names   TEXT NOT NULL DEFAULT '',          -- joined by newlines
    n_members   INTEGER NOT NULL,
    n_relations INTEGER NOT NULL,
    weight      REAL NOT NULL DEFAULT 0,           -- share of all ties and mentions
    is_loose    INTEGER NOT NULL DEFAULT 0,
    fingerprint TEXT NOT NULL DEFAULT ''           -- of all that a report could say of it
) STRICT;
CREATE INDEX community_by_level ON community(level, weight DESC);
CREATE INDEX community_by_parent ON community(parent_id);
CREATE TABLE community_member (
    community_id INTEGER NOT NULL REFERENCES community(id) ON DELETE CASCADE,
    entity_id    INTEGER NOT NULL REFERENCES entity(id) ON DELETE CASCADE,
    place        INTEGER NOT NULL DEFAULT 0,       -- 0 holds it together most
    PRIMARY KEY (community_id, entity_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX community_member_by_entity ON community_member(entity_id);

-- What was written of a community; stale where the fingerprints differ.
CREATE TABLE report (
    community_id INTEGER PRIMARY KEY REFERENCES community(id) ON DELETE CASCADE,
    fingerprint  TEXT NOT NULL,
    language     TEXT NOT NULL,
    model        TEXT NOT NULL DEFAULT '',         -- '' for quoted and counted
    title        TEXT NOT NULL,
    summary      TEXT NOT NULL,
    rating       REAL NOT NULL DEFAULT 0,
    reason       TEXT NOT NULL DEFAULT '',
    findings     TEXT NOT NULL DEFAULT '[]',       -- JSON, with evidence
    seconds      REAL NOT NULL DEFAULT 0,
    created_at   REAL NOT NULL
) STRICT;

-- What the person said of reports: curation, written inside `edit` and so undoable. NULL: as the
-- report has it.
CREATE TABLE report_edit (
    community_id INTEGER PRIMARY KEY,
    title        TEXT,
    summary      TEXT,
    rating       REAL,
    reason       TEXT,
    findings     TEXT,
    pinned       INTEGER NOT NULL DEFAULT 0
) STRICT;
