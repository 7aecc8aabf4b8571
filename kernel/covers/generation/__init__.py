"""Making covers: from the request to the settled job."""
