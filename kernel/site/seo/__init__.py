"""Search engine texts: keywords that administrators maintain, and the texts of the landing page's head."""
