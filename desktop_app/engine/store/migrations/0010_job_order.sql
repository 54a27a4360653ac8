-- The order in which jobs are taken, so that the next of very many is found without reading all.
CREATE INDEX job_by_order ON job(kind, state, priority DESC, target_id);
