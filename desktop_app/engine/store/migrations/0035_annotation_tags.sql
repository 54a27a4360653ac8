-- Tags of highlights and bookmarks, joined by newlines, as those of documents are.
ALTER TABLE annotation ADD COLUMN tags TEXT NOT NULL DEFAULT '';
-- The column is behind the picture of an area: this index has the tags without reading that.
CREATE INDEX annotation_tagged ON annotation(tags) WHERE tags <> '';
