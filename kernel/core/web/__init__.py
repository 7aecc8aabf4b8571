"""What every HTTP request goes through: access rules, paging, idempotency keys, the outermost middleware."""
