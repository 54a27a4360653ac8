-- A highlight may be an area of a page: JSON of the page and its sides, 0 to 1 of the page, with a
-- PNG of that part. Highlights of text and bookmarks have neither.
ALTER TABLE annotation ADD COLUMN area TEXT NOT NULL DEFAULT '';
ALTER TABLE annotation ADD COLUMN picture BLOB;
