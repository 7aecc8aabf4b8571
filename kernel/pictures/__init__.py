"""Pictures: every incoming picture is checked once, stored with its previews and served with safe headers."""
