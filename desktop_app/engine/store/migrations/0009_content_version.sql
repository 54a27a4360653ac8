-- Counts the changes of what the retrieval index is made of: texts, titles, mentions and names of
-- entities. Changes by undo, by deletion of a parent row and by other processes are counted too.
ALTER TABLE library_state ADD COLUMN content_version INTEGER NOT NULL DEFAULT 0;

CREATE TRIGGER content_chunk_added AFTER INSERT ON chunk BEGIN
    UPDATE library_state SET content_version = content_version + 1;
END;
CREATE TRIGGER content_chunk_deleted AFTER DELETE ON chunk BEGIN
    UPDATE library_state SET content_version = content_version + 1;
END;
CREATE TRIGGER content_document_changed AFTER UPDATE OF title, n_chars ON document
WHEN new.title <> old.title OR new.n_chars <> old.n_chars BEGIN
    UPDATE library_state SET content_version = content_version + 1;
END;
CREATE TRIGGER content_mention_added AFTER INSERT ON mention BEGIN
    UPDATE library_state SET content_version = content_version + 1;
END;
CREATE TRIGGER content_mention_changed AFTER UPDATE OF chunk_id, name_id ON mention BEGIN
    UPDATE library_state SET content_version = content_version + 1;
END;
CREATE TRIGGER content_mention_deleted AFTER DELETE ON mention BEGIN
    UPDATE library_state SET content_version = content_version + 1;
END;
CREATE TRIGGER content_name_added AFTER INSERT ON entity_name BEGIN
    UPDATE library_state SET content_version = content_version + 1;
END;
CREATE TRIGGER content_name_changed AFTER UPDATE ON entity_name BEGIN
    UPDATE library_state SET content_version = content_version + 1;
END;
CREATE TRIGGER content_name_deleted AFTER DELETE ON entity_name BEGIN
    UPDATE library_state SET content_version = content_version + 1;
END;
CREATE TRIGGER content_entity_added AFTER INSERT ON entity BEGIN
    UPDATE library_state SET content_version = content_version + 1;
END;
CREATE TRIGGER content_entity_changed AFTER UPDATE OF name ON entity
WHEN new.name <> old.name BEGIN
    UPDATE library_state SET content_version = content_version + 1;
END;
CREATE TRIGGER content_entity_deleted AFTER DELETE ON entity BEGIN
    UPDATE library_state SET content_version = content_version + 1;
END;

-- The same for the vectors, which the sketch of the vector search copies.
ALTER TABLE library_state ADD COLUMN vectors_version INTEGER NOT NULL DEFAULT 0;

CREATE TRIGGER vectors_added AFTER INSERT ON embedding BEGIN
    UPDATE library_state SET vectors_version = vectors_version + 1;
END;
CREATE TRIGGER vectors_deleted AFTER DELETE ON embedding BEGIN
    UPDATE library_state SET vectors_version = vectors_version + 1;
END;
