"""Controllers: connect the screens of one open library to services and lanes."""
