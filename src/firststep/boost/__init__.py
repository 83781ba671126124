"""The boost plan: which remedies it holds, what they did, and how to say so."""
