"""Starting all processes anew while the site goes on, for plugins that were installed or removed."""
