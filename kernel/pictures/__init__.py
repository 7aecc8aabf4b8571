"""Pictures: everything that comes in is checked once, kept whole and served with care."""
