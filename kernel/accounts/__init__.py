"""User accounts: users, sessions, sign-in, set-up and the audit trail."""
