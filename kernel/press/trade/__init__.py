"""What printers ask of a cover, and the sheet that follows from it."""
