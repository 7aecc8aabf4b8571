"""Ideas for covers from a blurb: by a text model where an instance offers one, else by our own reading of its words."""
