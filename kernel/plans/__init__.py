"""Plans: the monthly limits and the ledger of what was used."""
