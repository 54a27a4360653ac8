"""Export of a library to files of other programs."""
