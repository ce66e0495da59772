"""Rule learning."""
