"""What there is to see on a picture: where it is calm, which inks suit it, how letters stand out from it."""
