"""What search engines read: the head, structured data, sitemaps."""
