-- What the user wrote in a chat and the program has not asked yet: the text in the question box of
-- each chat (0 is the chat that has no question yet), and the questions that wait for others.
CREATE TABLE chat_draft (
    chat_id INTEGER PRIMARY KEY,
    text    TEXT NOT NULL
) STRICT;
CREATE TABLE waiting_question (
    id            INTEGER PRIMARY KEY,
    chat_id       INTEGER NOT NULL,
    text          TEXT NOT NULL,
    mode          TEXT NOT NULL,
    response_type TEXT NOT NULL,
    instead_of    INTEGER NOT NULL                 -- the question that it is a new version of, or 0
) STRICT;

-- Ties between names are decided by their letters from now on, no longer by the order of reading:
-- the graph is built again when the library is opened (`ensure_graph_follows_edits`).
UPDATE library_state SET is_graph_stale = is_graph_stale | 2 WHERE EXISTS (SELECT 1 FROM entity);
