"""What a backup consists of: its manifest, rows, list of objects, keys and configuration."""
