"""Whether the files that people download are signed, and with which certificate."""
