"""One set of schema revisions for SQLite and PostgreSQL."""
