"""What an author does by hand: properties that are fixed, faces to pick from, colors of the picture."""
