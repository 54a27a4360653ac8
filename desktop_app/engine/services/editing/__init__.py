"""User corrections of the graph: edits, previews of their effect, and the edit history."""
