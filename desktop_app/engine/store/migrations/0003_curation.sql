-- Entities that the person made, which may stand in no text.
CREATE TABLE hand_entity (
    name TEXT PRIMARY KEY NOT NULL
) STRICT, WITHOUT ROWID;
ALTER TABLE hand_relation ADD COLUMN kind TEXT NOT NULL DEFAULT '';
-- The documents (their sha256, joined by newlines) in which a name is deleted; '' for ever.
ALTER TABLE deleted_name ADD COLUMN documents TEXT NOT NULL DEFAULT '';
-- Of the file that was read before its content changed; '' where it never did.
ALTER TABLE document ADD COLUMN sha256_before TEXT NOT NULL DEFAULT '';
