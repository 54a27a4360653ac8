-- Titles of communities are names only, and keywords have to be significant: compute them again.
UPDATE library_state SET communities_version = NULL;
