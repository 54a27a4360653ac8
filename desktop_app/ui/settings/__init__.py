"""The settings screen: every setting there is, by section, searchable."""
