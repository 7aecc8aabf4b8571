"""What Pro costs: copies of the vendor's prices, the administrator's choice among them, and what a user is offered."""
