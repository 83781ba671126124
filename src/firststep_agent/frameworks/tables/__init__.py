"""Every place of the frameworks that the agent touches: one file per library, `POINTS` in each."""
