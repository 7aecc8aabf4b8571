"""The shelf of a series: fronts and spines side by side."""
