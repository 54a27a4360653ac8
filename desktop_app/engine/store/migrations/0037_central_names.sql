-- Communities are titled by their best connected names: compute them again.
UPDATE library_state SET communities_version = NULL;
