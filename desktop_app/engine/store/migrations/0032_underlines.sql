-- A highlight is a coloured ground or a line below its words; bookmarks have the default.
ALTER TABLE annotation ADD COLUMN style TEXT NOT NULL DEFAULT 'fill'
    CHECK (style IN ('fill', 'underline'));
