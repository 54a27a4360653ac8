"""The highlights screen: highlights, bookmarks and notes of the whole library in one list."""
