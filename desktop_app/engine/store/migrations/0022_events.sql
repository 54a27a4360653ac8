-- Events: what happens, by whom, to whom and where, as the rules find it. Who takes part is a
-- mention, by its place, so that merges, splits and renames hold for events too. Documents of older
-- libraries get events when they are indexed again.
CREATE TABLE event (
    id            INTEGER PRIMARY KEY,
    extraction_id INTEGER NOT NULL REFERENCES extraction(id) ON DELETE CASCADE,
    chunk_id      INTEGER NOT NULL REFERENCES chunk(id) ON DELETE CASCADE,
    document_id   INTEGER NOT NULL REFERENCES document(id) ON DELETE CASCADE,
    kind          TEXT NOT NULL,
    start         INTEGER NOT NULL,                -- of the sentence
    end           INTEGER NOT NULL,
    word_start    INTEGER NOT NULL,                -- of the verb
    word_end      INTEGER NOT NULL
) STRICT;
CREATE INDEX event_by_extraction ON event(extraction_id);
CREATE INDEX event_by_chunk ON event(chunk_id);
CREATE INDEX event_by_document ON event(document_id, word_start);
CREATE TABLE event_part (
    id            INTEGER PRIMARY KEY,
    event_id      INTEGER NOT NULL REFERENCES event(id) ON DELETE CASCADE,
    extraction_id INTEGER NOT NULL,                -- of the mention
    chunk_id      INTEGER NOT NULL,
    role          TEXT NOT NULL,                   -- actor patient place
    start         INTEGER NOT NULL                 -- of the mention
) STRICT;
CREATE INDEX event_part_by_event ON event_part(event_id);
CREATE INDEX event_part_by_mention ON event_part(extraction_id, start);
CREATE INDEX event_part_by_chunk ON event_part(chunk_id);

-- Events that the user removed, by sentence, so that they stay removed when it is read again.
CREATE TABLE removed_event (
    document TEXT NOT NULL,                        -- sha256 of the document
    kind     TEXT NOT NULL,
    sentence TEXT NOT NULL,
    place    INTEGER NOT NULL,                     -- of the verb in the sentence
    PRIMARY KEY (document, kind, sentence, place)
) STRICT, WITHOUT ROWID;

CREATE TABLE trashed_event (
    trash_id      INTEGER NOT NULL REFERENCES trash(id) ON DELETE CASCADE,
    id            INTEGER NOT NULL,
    extraction_id INTEGER NOT NULL,
    chunk_id      INTEGER NOT NULL,
    document_id   INTEGER NOT NULL,
    kind          TEXT NOT NULL,
    start         INTEGER NOT NULL,
    end           INTEGER NOT NULL,
    word_start    INTEGER NOT NULL,
    word_end      INTEGER NOT NULL,
    PRIMARY KEY (trash_id, id)
) STRICT, WITHOUT ROWID;
CREATE TABLE trashed_event_part (
    trash_id      INTEGER NOT NULL REFERENCES trash(id) ON DELETE CASCADE,
    id            INTEGER NOT NULL,
    event_id      INTEGER NOT NULL,
    extraction_id INTEGER NOT NULL,
    chunk_id      INTEGER NOT NULL,
    role          TEXT NOT NULL,
    start         INTEGER NOT NULL,
    PRIMARY KEY (trash_id, id)
) STRICT, WITHOUT ROWID;
