"""Users as customers of a vendor."""
