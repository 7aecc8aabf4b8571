"""Pages and settings components of plugins: the frames they run in, and what they may call."""
