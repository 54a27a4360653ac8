"""Corrections of the user, as all screens share them: menus, dialogs, and edits with undo."""
