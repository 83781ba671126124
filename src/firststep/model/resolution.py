"""Below which difference two times count as the same."""

RESOLUTION = 0.05  # of the time: a smaller difference is not worth more runs; who cannot rule out this one has shown nothing
