"""The publisher's mark: a picture that stands on the spine and on the back of a book."""
