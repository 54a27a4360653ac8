"""The settings screen: all settings, by section, searchable."""
