"""Figures of documents: their pictures, strips of small ones, and the dialog with a large one."""
