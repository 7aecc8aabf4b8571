"""The base of all other packages: configuration, database, queue, vault, outbound HTTP, errors, logs."""
