"""What users do with their own account."""
