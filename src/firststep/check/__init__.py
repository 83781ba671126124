"""A gate for starts: budgets that are kept, and a verdict that may say that it does not know."""
