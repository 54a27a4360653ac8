-- Direction of relations: the sum of 1 (from source to target) and 2 (from target to source);
-- 0 while it is not known, as in every library made before. NULL in `hand_relation`: the user did
-- not decide it, and the documents do.
ALTER TABLE claimed_relation ADD COLUMN direction INTEGER NOT NULL DEFAULT 0 CHECK (direction BETWEEN 0 AND 3);
ALTER TABLE trashed_claimed_relation ADD COLUMN direction INTEGER NOT NULL DEFAULT 0 CHECK (direction BETWEEN 0 AND 3);
ALTER TABLE relation ADD COLUMN direction INTEGER NOT NULL DEFAULT 0 CHECK (direction BETWEEN 0 AND 3);
ALTER TABLE hand_relation ADD COLUMN direction INTEGER CHECK (direction BETWEEN 0 AND 3);
