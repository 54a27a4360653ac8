-- What the graph is made of, counted as of its last update, and what has changed since. So an update
-- costs as much as the change, whichever process or cascade made it. (Triggers say ON CONFLICT DO
-- NOTHING, since the statement that fires them overrides OR IGNORE.)
CREATE TABLE name_count (                          -- mentions of a name in a document
    name_id     INTEGER NOT NULL,
    document_id INTEGER NOT NULL,
    type        TEXT NOT NULL,
    n           INTEGER NOT NULL,
    PRIMARY KEY (name_id, document_id, type)
) STRICT, WITHOUT ROWID;
CREATE TABLE name_closeness (                      -- sum of the weights of its claims, in millionths
    name_id     INTEGER NOT NULL,
    document_id INTEGER NOT NULL,
    units       INTEGER NOT NULL,
    PRIMARY KEY (name_id, document_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE changed_name (                        -- document 0: judgements, summaries
    name_id     INTEGER NOT NULL,
    document_id INTEGER NOT NULL,
    PRIMARY KEY (name_id, document_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE changed_link (                        -- names with claims about both, smaller id first
    name_id  INTEGER NOT NULL,
    other_id INTEGER NOT NULL,
    PRIMARY KEY (name_id, other_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE changed_decision (                    -- names as the user wrote them; "" if there is one
    name  TEXT NOT NULL,
    other TEXT NOT NULL,
    PRIMARY KEY (name, other)
) STRICT, WITHOUT ROWID;

-- The summary that a description is replaced by, "" where it needs none.
ALTER TABLE entity ADD COLUMN summary_key TEXT NOT NULL DEFAULT '';
ALTER TABLE relation ADD COLUMN summary_key TEXT NOT NULL DEFAULT '';
CREATE INDEX entity_by_summary ON entity(summary_key) WHERE summary_key <> '';
CREATE INDEX relation_by_summary ON relation(summary_key) WHERE summary_key <> '';

DROP INDEX claimed_by_source;
DROP INDEX claimed_by_target;
CREATE INDEX claimed_by_source ON claimed_relation(source_id, target_id);
CREATE INDEX claimed_by_target ON claimed_relation(target_id, source_id);

CREATE TRIGGER change_mention_added AFTER INSERT ON mention BEGIN
    INSERT INTO changed_name VALUES (new.name_id, new.document_id) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER change_mention_deleted AFTER DELETE ON mention BEGIN
    INSERT INTO changed_name VALUES (old.name_id, old.document_id) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER change_mention_changed AFTER UPDATE OF name_id, document_id, type ON mention BEGIN
    INSERT INTO changed_name VALUES (old.name_id, old.document_id) ON CONFLICT DO NOTHING;
    INSERT INTO changed_name VALUES (new.name_id, new.document_id) ON CONFLICT DO NOTHING;
END;

CREATE TRIGGER change_claim_added AFTER INSERT ON claimed_relation BEGIN
    INSERT INTO changed_name VALUES (new.source_id, new.document_id) ON CONFLICT DO NOTHING;
    INSERT INTO changed_name VALUES (new.target_id, new.document_id) ON CONFLICT DO NOTHING;
    INSERT INTO changed_link
    VALUES (min(new.source_id, new.target_id), max(new.source_id, new.target_id)) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER change_claim_deleted AFTER DELETE ON claimed_relation BEGIN
    INSERT INTO changed_name VALUES (old.source_id, old.document_id) ON CONFLICT DO NOTHING;
    INSERT INTO changed_name VALUES (old.target_id, old.document_id) ON CONFLICT DO NOTHING;
    INSERT INTO changed_link
    VALUES (min(old.source_id, old.target_id), max(old.source_id, old.target_id)) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER change_claim_changed AFTER UPDATE OF source_id, target_id ON claimed_relation BEGIN
    INSERT INTO changed_name VALUES (old.source_id, old.document_id) ON CONFLICT DO NOTHING;
    INSERT INTO changed_name VALUES (old.target_id, old.document_id) ON CONFLICT DO NOTHING;
    INSERT INTO changed_name VALUES (new.source_id, new.document_id) ON CONFLICT DO NOTHING;
    INSERT INTO changed_name VALUES (new.target_id, new.document_id) ON CONFLICT DO NOTHING;
    INSERT INTO changed_link
    VALUES (min(old.source_id, old.target_id), max(old.source_id, old.target_id)) ON CONFLICT DO NOTHING;
    INSERT INTO changed_link
    VALUES (min(new.source_id, new.target_id), max(new.source_id, new.target_id)) ON CONFLICT DO NOTHING;
END;

-- A model's extraction replaces the relations of the instant one in its chunk, and gives them back.
CREATE TRIGGER change_extraction_added AFTER INSERT ON extraction BEGIN
    INSERT INTO changed_link
    SELECT min(source_id, target_id), max(source_id, target_id)
      FROM claimed_relation WHERE chunk_id = new.chunk_id ON CONFLICT DO NOTHING;
    INSERT INTO changed_name
    SELECT source_id, document_id FROM claimed_relation WHERE chunk_id = new.chunk_id ON CONFLICT DO NOTHING;
    INSERT INTO changed_name
    SELECT target_id, document_id FROM claimed_relation WHERE chunk_id = new.chunk_id ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER change_extraction_deleted AFTER DELETE ON extraction BEGIN
    INSERT INTO changed_link
    SELECT min(source_id, target_id), max(source_id, target_id)
      FROM claimed_relation WHERE chunk_id = old.chunk_id ON CONFLICT DO NOTHING;
    INSERT INTO changed_name
    SELECT source_id, document_id FROM claimed_relation WHERE chunk_id = old.chunk_id ON CONFLICT DO NOTHING;
    INSERT INTO changed_name
    SELECT target_id, document_id FROM claimed_relation WHERE chunk_id = old.chunk_id ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER change_extraction_finished AFTER UPDATE OF state ON extraction BEGIN
    INSERT INTO changed_link
    SELECT min(source_id, target_id), max(source_id, target_id)
      FROM claimed_relation WHERE chunk_id = new.chunk_id ON CONFLICT DO NOTHING;
    INSERT INTO changed_name
    SELECT source_id, document_id FROM claimed_relation WHERE chunk_id = new.chunk_id ON CONFLICT DO NOTHING;
    INSERT INTO changed_name
    SELECT target_id, document_id FROM claimed_relation WHERE chunk_id = new.chunk_id ON CONFLICT DO NOTHING;
END;

CREATE TRIGGER change_judgement_added AFTER INSERT ON name_claim BEGIN
    INSERT INTO changed_name VALUES (new.name_id, 0) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER change_judgement_deleted AFTER DELETE ON name_claim BEGIN
    INSERT INTO changed_name VALUES (old.name_id, 0) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER change_equation_added AFTER INSERT ON also_called BEGIN
    INSERT INTO changed_name VALUES (new.name_id, 0) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER change_equation_deleted AFTER DELETE ON also_called BEGIN
    INSERT INTO changed_name VALUES (old.name_id, 0) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER change_language AFTER UPDATE OF language ON document
WHEN new.language <> old.language BEGIN
    INSERT INTO changed_name
    SELECT name_id, document_id FROM mention WHERE document_id = new.id ON CONFLICT DO NOTHING;
END;

CREATE TRIGGER change_summary_added AFTER INSERT ON summary BEGIN
    INSERT INTO changed_name SELECT id, 0 FROM entity WHERE summary_key = new.key ON CONFLICT DO NOTHING;
    INSERT INTO changed_link
    SELECT source_id, target_id FROM relation WHERE summary_key = new.key ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER change_summary_deleted AFTER DELETE ON summary BEGIN
    INSERT INTO changed_name SELECT id, 0 FROM entity WHERE summary_key = old.key ON CONFLICT DO NOTHING;
    INSERT INTO changed_link
    SELECT source_id, target_id FROM relation WHERE summary_key = old.key ON CONFLICT DO NOTHING;
END;

CREATE TRIGGER change_edit_added AFTER INSERT ON entity_edit BEGIN
    INSERT INTO changed_decision VALUES (new.name, '') ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER change_edit_changed AFTER UPDATE ON entity_edit BEGIN
    INSERT INTO changed_decision VALUES (old.name, '') ON CONFLICT DO NOTHING;
    INSERT INTO changed_decision VALUES (new.name, '') ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER change_edit_deleted AFTER DELETE ON entity_edit BEGIN
    INSERT INTO changed_decision VALUES (old.name, '') ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER change_relation_added AFTER INSERT ON hand_relation BEGIN
    INSERT INTO changed_decision VALUES (new.source, new.target) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER change_relation_changed AFTER UPDATE ON hand_relation BEGIN
    INSERT INTO changed_decision VALUES (old.source, old.target) ON CONFLICT DO NOTHING;
    INSERT INTO changed_decision VALUES (new.source, new.target) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER change_relation_deleted AFTER DELETE ON hand_relation BEGIN
    INSERT INTO changed_decision VALUES (old.source, old.target) ON CONFLICT DO NOTHING;
END;

-- The first update builds the whole graph again.
INSERT INTO changed_name SELECT DISTINCT name_id, document_id FROM mention;
INSERT OR IGNORE INTO changed_name SELECT DISTINCT source_id, document_id FROM claimed_relation;
INSERT OR IGNORE INTO changed_name SELECT DISTINCT target_id, document_id FROM claimed_relation;
INSERT INTO changed_link
SELECT DISTINCT min(source_id, target_id), max(source_id, target_id) FROM claimed_relation;
UPDATE library_state SET is_graph_stale = is_graph_stale | 2
 WHERE EXISTS (SELECT 1 FROM changed_name);
