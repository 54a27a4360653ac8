"""The frame around the screens: main window, sidebar, navigator, command palette and shortcuts."""
