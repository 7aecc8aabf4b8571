"""Provider instances: settings, state, circuit breaker, and the registry that holds them."""
