-- The picture of a page that was read, as a digest: what the user corrected, and what was read, holds
-- for the same page of a changed file, and of another one.
ALTER TABLE scanned_page ADD COLUMN picture TEXT NOT NULL DEFAULT '';
ALTER TABLE trashed_scanned_page ADD COLUMN picture TEXT NOT NULL DEFAULT '';
CREATE INDEX scanned_page_by_picture ON scanned_page(picture) WHERE picture <> '';
ALTER TABLE line_correction ADD COLUMN picture TEXT NOT NULL DEFAULT '';
CREATE INDEX line_correction_by_picture ON line_correction(picture) WHERE picture <> '';

-- Where a document lies in its file: numbers of the files in an archive, or of the attachments of a
-- letter, separated by "/"; empty for a document that is the file itself.
ALTER TABLE document ADD COLUMN place TEXT NOT NULL DEFAULT '';
ALTER TABLE trashed_document ADD COLUMN place TEXT NOT NULL DEFAULT '';

-- Archives and letters with scans and pictures, which were left out before, are read again.
INSERT OR IGNORE INTO new_version(document_id, sha256, size_bytes, found_at, is_accepted, is_more)
SELECT DISTINCT f.id, f.sha256, f.size_bytes, f.added_at, 1, 1
  FROM document f JOIN document d ON d.id = f.id OR (d.row_number > 0
       AND d.file_name = f.file_name AND d.source_path = f.source_path AND d.added_at = f.added_at)
 WHERE f.state = 'ready' AND f.row_number = 0 AND f.sha256 <> ''
   AND NOT EXISTS (SELECT 1 FROM scanned_page p WHERE p.document_id = f.id)
   AND (d.notes LIKE '%pages have no text%' OR d.notes LIKE '%letters that can''t be read%'
        OR d.notes LIKE '%none of its pages has text%' OR d.notes LIKE '%their kind is not read%');
INSERT OR IGNORE INTO job(kind, target_id)
SELECT 'index', document_id FROM new_version WHERE is_more = 1;
