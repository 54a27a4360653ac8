-- What a bibliography says of a document, before a setting of the library as JSON. It stands between
-- what the file says and what the user wrote (`document_edit`). The document may be in the trash, so
-- its id is no foreign key.
CREATE TABLE bibliography_item (
    document_id INTEGER PRIMARY KEY,
    item_key  TEXT NOT NULL DEFAULT '',        -- of the item in Zotero
    title     TEXT NOT NULL DEFAULT '',
    author    TEXT NOT NULL DEFAULT '',        -- names separated by semicolons
    year      TEXT NOT NULL DEFAULT '',
    doi       TEXT NOT NULL DEFAULT '',
    isbn      TEXT NOT NULL DEFAULT '',
    kind      TEXT NOT NULL DEFAULT '',        -- as CSL names it
    container TEXT NOT NULL DEFAULT '',        -- the journal or book that it appeared in
    volume    TEXT NOT NULL DEFAULT '',
    issue     TEXT NOT NULL DEFAULT '',
    pages     TEXT NOT NULL DEFAULT '',
    publisher TEXT NOT NULL DEFAULT '',
    place     TEXT NOT NULL DEFAULT '',
    edition   TEXT NOT NULL DEFAULT '',
    editors   TEXT NOT NULL DEFAULT '',
    taken     TEXT NOT NULL DEFAULT '{}'       -- JSON: tags, collections and marks that were taken
) STRICT;

-- Values that are no text, and settings that are no JSON object, are another program's.
INSERT OR IGNORE INTO bibliography_item
SELECT CAST(substr(key, 11) AS INTEGER), '',
       iif(json_type(value, '$.title') = 'text', substr(value ->> 'title', 1, 2000), ''),
       iif(json_type(value, '$.author') = 'text', substr(value ->> 'author', 1, 2000), ''),
       iif(json_type(value, '$.year') = 'text', substr(value ->> 'year', 1, 2000), ''),
       iif(json_type(value, '$.doi') = 'text', substr(value ->> 'doi', 1, 2000), ''),
       iif(json_type(value, '$.isbn') = 'text', substr(value ->> 'isbn', 1, 2000), ''),
       iif(json_type(value, '$.kind') = 'text', substr(value ->> 'kind', 1, 2000), ''),
       iif(json_type(value, '$.container') = 'text', substr(value ->> 'container', 1, 2000), ''),
       iif(json_type(value, '$.volume') = 'text', substr(value ->> 'volume', 1, 2000), ''),
       iif(json_type(value, '$.issue') = 'text', substr(value ->> 'issue', 1, 2000), ''),
       iif(json_type(value, '$.pages') = 'text', substr(value ->> 'pages', 1, 2000), ''),
       iif(json_type(value, '$.publisher') = 'text', substr(value ->> 'publisher', 1, 2000), ''),
       iif(json_type(value, '$.place') = 'text', substr(value ->> 'place', 1, 2000), ''),
       iif(json_type(value, '$.edition') = 'text', substr(value ->> 'edition', 1, 2000), ''),
       iif(json_type(value, '$.editors') = 'text', substr(value ->> 'editors', 1, 2000), ''),
       json_remove(value, '$.title', '$.author', '$.year', '$.doi', '$.isbn', '$.kind', '$.container',
                   '$.volume', '$.issue', '$.pages', '$.publisher', '$.place',
                   '$.edition', '$.editors')
  FROM setting
 WHERE key LIKE 'reference:%' AND iif(json_valid(value), json_type(value) = 'object', 0);
DELETE FROM setting WHERE key LIKE 'reference:%';

-- The user's own details of a work, over those of the bibliography.
ALTER TABLE document_edit ADD COLUMN container TEXT;
ALTER TABLE document_edit ADD COLUMN volume TEXT;
ALTER TABLE document_edit ADD COLUMN issue TEXT;
ALTER TABLE document_edit ADD COLUMN pages TEXT;
ALTER TABLE document_edit ADD COLUMN publisher TEXT;
