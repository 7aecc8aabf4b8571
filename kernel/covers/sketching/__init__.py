"""How a cover's words will be set by a service that sets them itself, seen before the cover is made."""
