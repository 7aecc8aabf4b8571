"""How the site does, day by day: figures that a worker keeps, so that nobody waits while a million rows are counted."""
