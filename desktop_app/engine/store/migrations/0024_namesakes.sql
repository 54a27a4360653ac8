-- Which story a document is part of, and which names mean different people in different stories. A name's
-- sense in a story is the story's number, but in the first story that has the name it is 0.
CREATE TABLE story (
    document TEXT PRIMARY KEY NOT NULL,            -- sha256 of the document
    number   INTEGER NOT NULL                      -- of the story; 0: the document is none
) STRICT, WITHOUT ROWID;
CREATE TABLE namesake (
    key    TEXT PRIMARY KEY NOT NULL,              -- as name.key
    number INTEGER NOT NULL                        -- of the story in which its sense is 0
) STRICT, WITHOUT ROWID;

-- Stories that the library has already are found when it is opened.
UPDATE library_state SET is_graph_stale = is_graph_stale | 2
WHERE EXISTS (SELECT 1 FROM document WHERE n_chars >= 100000);
