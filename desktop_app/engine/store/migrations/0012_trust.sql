-- A library file makes the program read nothing that the user did not ask for here: which folders
-- are watched is a setting of the user. Folders that the file named are kept until the user was
-- asked about them.
ALTER TABLE watched_folder RENAME TO requested_folder;
DELETE FROM history WHERE label LIKE '{"template": "Watch the folder%'
    OR label LIKE '{"template": "Stop watching the folder%'
    OR label LIKE 'Watch the folder “%' OR label LIKE 'Stop watching the folder “%';

-- Settings of the user that belong to a library are found by this id and the path of the file.
ALTER TABLE library_state ADD COLUMN library_id TEXT NOT NULL DEFAULT '';
UPDATE library_state SET library_id = lower(hex(randomblob(16)));

-- Passwords of documents are no longer stored: `Db` takes them out of older libraries before this
-- migration. The columns `password` of `original` and `trash_file` stay, always empty, because
-- dropping them would write every file of the library again.
