"""Pages: the shell of the SPA, its files, and what the server writes into the head."""
