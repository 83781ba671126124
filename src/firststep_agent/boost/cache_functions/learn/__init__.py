"""The starts before an answer: one learns a function, one confirms it."""
