"""Email: account emails, templates, campaigns and the suppression list."""
