"""Covers of one series: the lettering of one of them carried over to the others, and told apart from theirs."""
