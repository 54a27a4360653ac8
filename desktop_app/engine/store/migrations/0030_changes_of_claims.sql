-- A claim whose one end got another sense leaves the counts and the closeness of its other end alone:
-- recording both recounted all neighbours of a split name.
DROP TRIGGER change_claim_changed;
CREATE TRIGGER change_claim_source AFTER UPDATE OF source_id ON claimed_relation
WHEN new.source_id <> old.source_id BEGIN
    INSERT INTO changed_name VALUES (old.source_id, old.document_id) ON CONFLICT DO NOTHING;
    INSERT INTO changed_name VALUES (new.source_id, new.document_id) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER change_claim_target AFTER UPDATE OF target_id ON claimed_relation
WHEN new.target_id <> old.target_id BEGIN
    INSERT INTO changed_name VALUES (old.target_id, old.document_id) ON CONFLICT DO NOTHING;
    INSERT INTO changed_name VALUES (new.target_id, new.document_id) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER change_claim_ends AFTER UPDATE OF source_id, target_id ON claimed_relation BEGIN
    INSERT INTO changed_link
    VALUES (min(old.source_id, old.target_id), max(old.source_id, old.target_id)) ON CONFLICT DO NOTHING;
    INSERT INTO changed_link
    VALUES (min(new.source_id, new.target_id), max(new.source_id, new.target_id)) ON CONFLICT DO NOTHING;
END;

-- Each update of the graph asks for the names that have senses: few of all names.
CREATE INDEX name_with_sense ON name(text) WHERE sense > 0;
