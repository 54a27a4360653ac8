"""Reading files into text with offsets, and cutting text into chunks and windows."""
