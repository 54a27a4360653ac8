-- Weights of relations depend on coarser steps of the total closeness (`graph.evidence`), so the
-- next update derives all relations again.
INSERT OR IGNORE INTO changed_link
SELECT DISTINCT min(source_id, target_id), max(source_id, target_id) FROM claimed_relation;
UPDATE library_state SET is_graph_stale = is_graph_stale | 2
 WHERE EXISTS (SELECT 1 FROM changed_link);
