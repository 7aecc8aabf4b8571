"""Pictures that a book has of its own: the publisher's mark, and one on the back."""
