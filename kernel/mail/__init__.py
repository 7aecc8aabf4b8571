"""The mail room: e-mails to one person, and who must not get any."""
