"""What a cover will show, in words that can be seen and changed before it is drawn."""
