"""What search engines are told: keywords that administrators keep, and the words of the landing page's head."""
