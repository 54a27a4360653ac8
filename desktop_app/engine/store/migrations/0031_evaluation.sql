-- Runs of `inkgraph evaluate`: the questions with what they were asked with, and what came of it.
CREATE TABLE evaluation_run (
    id          INTEGER PRIMARY KEY,
    created_at  REAL NOT NULL,
    finished_at REAL,                    -- NULL while questions are left
    signature   TEXT NOT NULL,           -- of questions, columns, settings, versions and library
    plan        TEXT NOT NULL            -- JSON
) STRICT;

CREATE TABLE evaluation_answer (
    run_id      INTEGER NOT NULL REFERENCES evaluation_run(id) ON DELETE CASCADE,
    column_no   INTEGER NOT NULL,
    question_no INTEGER NOT NULL,
    key         TEXT NOT NULL,           -- of all that the answer depends on
    asked_at    REAL NOT NULL,
    outcome     TEXT NOT NULL,           -- JSON
    measures    TEXT NOT NULL,           -- JSON
    PRIMARY KEY (run_id, column_no, question_no)
) STRICT, WITHOUT ROWID;
CREATE INDEX evaluation_answer_key ON evaluation_answer(key, asked_at);

-- What a judging model says of one answer (`other_no` is -1) or of two.
CREATE TABLE evaluation_judgement (
    run_id      INTEGER NOT NULL REFERENCES evaluation_run(id) ON DELETE CASCADE,
    judge       TEXT NOT NULL,
    column_no   INTEGER NOT NULL,
    other_no    INTEGER NOT NULL,
    question_no INTEGER NOT NULL,
    made_at     REAL NOT NULL,
    judged      TEXT NOT NULL,           -- JSON
    PRIMARY KEY (run_id, judge, column_no, other_no, question_no)
) STRICT, WITHOUT ROWID;
