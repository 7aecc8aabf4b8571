"""The spine calculator: from trim, pages and paper to the size of a whole cover and its template."""
