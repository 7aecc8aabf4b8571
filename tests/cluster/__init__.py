"""`make cluster`: the product on several hosts, each a network namespace of this machine, under load and faults."""
