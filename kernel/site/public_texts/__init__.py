"""What visitors read beside the product: legal texts, contact and help, and the addresses in the footer."""
