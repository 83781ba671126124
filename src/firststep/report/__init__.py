"""Results for people and programs: one file for each form."""
