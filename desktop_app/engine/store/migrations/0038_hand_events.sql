-- Events that the user added or corrected, by sentence, so that they hold when it is read again.
-- The event of the rules that one replaces is in removed_event.
CREATE TABLE hand_event (
    document TEXT NOT NULL,                        -- sha256 of the document
    kind     TEXT NOT NULL,
    sentence TEXT NOT NULL,
    place    INTEGER NOT NULL,                     -- of the verb in the sentence
    start    INTEGER NOT NULL,                     -- of the sentence when the event was written
    actors   TEXT NOT NULL,                        -- names with their senses, by lines
    patients TEXT NOT NULL,
    places   TEXT NOT NULL,
    length   INTEGER NOT NULL,                     -- of the verb
    PRIMARY KEY (document, kind, sentence, place, start, actors, patients, places)
) STRICT, WITHOUT ROWID;
