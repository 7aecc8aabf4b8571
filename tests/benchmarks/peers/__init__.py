"""The same calls as a team would write them with other frameworks; their packages are no part of the product."""
