"""The operator's logos and page icon."""
