"""Entity resolution: groups names that denote one entity, and assigns mentions to senses."""
