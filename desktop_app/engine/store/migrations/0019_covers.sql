-- Covers of documents: small pictures, made again whenever they are missing. A document without one
-- has a row of size 0, so that it is not looked at again.
CREATE TABLE cover (
    document_id INTEGER PRIMARY KEY REFERENCES document(id) ON DELETE CASCADE,
    sha256      TEXT NOT NULL,    -- of the file that it was made of
    width       INTEGER NOT NULL,
    height      INTEGER NOT NULL,
    pixels      BLOB NOT NULL     -- compressed colours, see `services.covers`
) STRICT;

-- Which rules found title, authors, year, DOI and ISBN of a document: older ones are replaced once.
ALTER TABLE document ADD COLUMN reference_rules INTEGER NOT NULL DEFAULT 0;
ALTER TABLE trashed_document ADD COLUMN reference_rules INTEGER NOT NULL DEFAULT 0;
