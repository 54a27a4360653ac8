-- Chats: folders, pins, and branches. A message without a parent follows the one before it by
-- id, as all did; 0 begins a chat. The branch that is shown ends at `leaf_id`: NULL for the last
-- message, 0 for none.
ALTER TABLE chat ADD COLUMN folder TEXT NOT NULL DEFAULT '';
ALTER TABLE chat ADD COLUMN pinned INTEGER NOT NULL DEFAULT 0;
ALTER TABLE chat ADD COLUMN leaf_id INTEGER;
ALTER TABLE message ADD COLUMN parent_id INTEGER;
