"""The preview picture for shared links."""
