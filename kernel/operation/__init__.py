"""Running the site: jobs of every kind, the processes that do them, and the state of what they need."""
