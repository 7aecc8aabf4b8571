"""The covers that rotate on the landing page."""
