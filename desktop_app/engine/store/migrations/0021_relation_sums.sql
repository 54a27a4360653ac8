-- The sums over the claims of a relation that its weight is computed of. All weights depend on the
-- total closeness too: when it passes a step, they are computed of these, and no claim is read. The
-- next update derives all relations again, which fills the sums.
ALTER TABLE relation ADD COLUMN strength REAL NOT NULL DEFAULT 0;
ALTER TABLE relation ADD COLUMN closeness REAL NOT NULL DEFAULT 0;
INSERT OR IGNORE INTO changed_link
SELECT DISTINCT min(source_id, target_id), max(source_id, target_id) FROM claimed_relation;
UPDATE library_state SET is_graph_stale = is_graph_stale | 2
 WHERE EXISTS (SELECT 1 FROM changed_link);
