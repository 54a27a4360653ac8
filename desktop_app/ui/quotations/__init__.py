"""Finding the place of a quotation: the dialog and the list of places."""
