"""What firststep can see in an interpreter and its frameworks, what not, and why: examined by a plan like any other."""
