"""What changed between two starts, or between two sets of them."""
