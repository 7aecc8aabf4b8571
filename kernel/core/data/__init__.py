"""The database and the ids of its rows."""
