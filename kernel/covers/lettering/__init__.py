"""Words on pictures: set by the press, stored as versions, changed at any time."""
