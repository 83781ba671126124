"""What lint found, in the forms that people and machines read: one module per form, each with `show(outcomes, place)`."""
