-- Split names whose decisions changed since the last update of the graph. Before, every update
-- assigned the mentions of every name that was ever split.
CREATE TABLE changed_split (
    name TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;
INSERT INTO changed_split
SELECT name FROM split_mention UNION SELECT text FROM name WHERE sense > 0;

CREATE TRIGGER change_split_added AFTER INSERT ON split_mention BEGIN
    INSERT INTO changed_split VALUES (new.name) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER change_split_changed AFTER UPDATE ON split_mention BEGIN
    INSERT INTO changed_split VALUES (old.name) ON CONFLICT DO NOTHING;
    INSERT INTO changed_split VALUES (new.name) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER change_split_deleted AFTER DELETE ON split_mention BEGIN
    INSERT INTO changed_split VALUES (old.name) ON CONFLICT DO NOTHING;
END;
