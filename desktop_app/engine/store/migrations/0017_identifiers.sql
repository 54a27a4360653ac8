-- DOI (lower case) and ISBN (digits) of documents: as the file says, and as the user changed them.
ALTER TABLE document ADD COLUMN doi TEXT NOT NULL DEFAULT '';
ALTER TABLE document ADD COLUMN isbn TEXT NOT NULL DEFAULT '';
ALTER TABLE document ADD COLUMN file_doi TEXT;
ALTER TABLE document ADD COLUMN file_isbn TEXT;
ALTER TABLE trashed_document ADD COLUMN doi TEXT NOT NULL DEFAULT '';
ALTER TABLE trashed_document ADD COLUMN isbn TEXT NOT NULL DEFAULT '';
ALTER TABLE trashed_document ADD COLUMN file_doi TEXT;
ALTER TABLE trashed_document ADD COLUMN file_isbn TEXT;
ALTER TABLE document_edit ADD COLUMN doi TEXT;
ALTER TABLE document_edit ADD COLUMN isbn TEXT;
