-- The clusters that the merge desk found, so that the next session shows them at once; derived.
CREATE TABLE duplicate_search (
    certainty REAL NOT NULL,             -- least mean certainty of a cluster
    model     TEXT NOT NULL,             -- that compared descriptions, '' for none
    version   INTEGER NOT NULL,          -- `library_state.duplicates_version` of what was read
    rules     TEXT NOT NULL,             -- of the program that searched
    is_whole  INTEGER NOT NULL,          -- 0: the model had no time for all descriptions
    clusters  TEXT NOT NULL,             -- JSON
    PRIMARY KEY (certainty, model)
) STRICT, WITHOUT ROWID;

-- Counts the changes of what the search reads, whichever process, cascade or undo made them.
ALTER TABLE library_state ADD COLUMN duplicates_version INTEGER NOT NULL DEFAULT 0;

CREATE TRIGGER duplicates_entity_added AFTER INSERT ON entity BEGIN
    UPDATE library_state SET duplicates_version = duplicates_version + 1;
END;
CREATE TRIGGER duplicates_entity_changed AFTER UPDATE OF name, type, n_mentions, description ON entity
WHEN new.name <> old.name OR new.type <> old.type OR new.n_mentions <> old.n_mentions
  OR new.description <> old.description BEGIN
    UPDATE library_state SET duplicates_version = duplicates_version + 1;
END;
CREATE TRIGGER duplicates_entity_deleted AFTER DELETE ON entity BEGIN
    UPDATE library_state SET duplicates_version = duplicates_version + 1;
END;
CREATE TRIGGER duplicates_entity_name_added AFTER INSERT ON entity_name BEGIN
    UPDATE library_state SET duplicates_version = duplicates_version + 1;
END;
CREATE TRIGGER duplicates_entity_name_changed AFTER UPDATE ON entity_name BEGIN
    UPDATE library_state SET duplicates_version = duplicates_version + 1;
END;
CREATE TRIGGER duplicates_entity_name_deleted AFTER DELETE ON entity_name BEGIN
    UPDATE library_state SET duplicates_version = duplicates_version + 1;
END;
CREATE TRIGGER duplicates_name_changed AFTER UPDATE ON name BEGIN
    UPDATE library_state SET duplicates_version = duplicates_version + 1;
END;
CREATE TRIGGER duplicates_mention_added AFTER INSERT ON mention BEGIN
    UPDATE library_state SET duplicates_version = duplicates_version + 1;
END;
CREATE TRIGGER duplicates_mention_changed AFTER UPDATE ON mention BEGIN
    UPDATE library_state SET duplicates_version = duplicates_version + 1;
END;
CREATE TRIGGER duplicates_mention_deleted AFTER DELETE ON mention BEGIN
    UPDATE library_state SET duplicates_version = duplicates_version + 1;
END;
CREATE TRIGGER duplicates_relation_added AFTER INSERT ON relation BEGIN
    UPDATE library_state SET duplicates_version = duplicates_version + 1;
END;
CREATE TRIGGER duplicates_relation_changed AFTER UPDATE OF source_id, target_id, weight ON relation
WHEN new.source_id <> old.source_id OR new.target_id <> old.target_id OR new.weight <> old.weight BEGIN
    UPDATE library_state SET duplicates_version = duplicates_version + 1;
END;
CREATE TRIGGER duplicates_relation_deleted AFTER DELETE ON relation BEGIN
    UPDATE library_state SET duplicates_version = duplicates_version + 1;
END;
CREATE TRIGGER duplicates_equation_added AFTER INSERT ON also_called BEGIN
    UPDATE library_state SET duplicates_version = duplicates_version + 1;
END;
CREATE TRIGGER duplicates_equation_changed AFTER UPDATE ON also_called BEGIN
    UPDATE library_state SET duplicates_version = duplicates_version + 1;
END;
CREATE TRIGGER duplicates_equation_deleted AFTER DELETE ON also_called BEGIN
    UPDATE library_state SET duplicates_version = duplicates_version + 1;
END;
CREATE TRIGGER duplicates_decision_added AFTER INSERT ON never_merged BEGIN
    UPDATE library_state SET duplicates_version = duplicates_version + 1;
END;
CREATE TRIGGER duplicates_decision_changed AFTER UPDATE ON never_merged BEGIN
    UPDATE library_state SET duplicates_version = duplicates_version + 1;
END;
CREATE TRIGGER duplicates_decision_deleted AFTER DELETE ON never_merged BEGIN
    UPDATE library_state SET duplicates_version = duplicates_version + 1;
END;
CREATE TRIGGER duplicates_namesake_added AFTER INSERT ON namesake BEGIN
    UPDATE library_state SET duplicates_version = duplicates_version + 1;
END;
CREATE TRIGGER duplicates_namesake_changed AFTER UPDATE ON namesake BEGIN
    UPDATE library_state SET duplicates_version = duplicates_version + 1;
END;
CREATE TRIGGER duplicates_namesake_deleted AFTER DELETE ON namesake BEGIN
    UPDATE library_state SET duplicates_version = duplicates_version + 1;
END;
CREATE TRIGGER duplicates_text_added AFTER INSERT ON document_text BEGIN
    UPDATE library_state SET duplicates_version = duplicates_version + 1;
END;
CREATE TRIGGER duplicates_text_changed AFTER UPDATE OF text ON document_text BEGIN
    UPDATE library_state SET duplicates_version = duplicates_version + 1;
END;
CREATE TRIGGER duplicates_text_deleted AFTER DELETE ON document_text BEGIN
    UPDATE library_state SET duplicates_version = duplicates_version + 1;
END;
CREATE TRIGGER duplicates_date_changed AFTER UPDATE OF added_at ON document
WHEN new.added_at <> old.added_at BEGIN
    UPDATE library_state SET duplicates_version = duplicates_version + 1;
END;
