"""References of other programs: Zotero's data folder, BibTeX, RIS and CSL-JSON files."""
