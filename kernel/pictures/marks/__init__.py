"""What a picture's file tells machines of its origin: written when it leaves the house, never into what is stored."""
