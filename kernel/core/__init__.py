"""What every room of the kernel stands on: configuration, database, queue, vault, outbound HTTP, errors, logs."""
