"""Corrections by hand, as the screens share them: verbs with a way back, and their sheets."""
