"""What boost keeps on disk: where it is, what is in it, whether it is whole, and how much it has saved."""
