"""The report as one HTML file that opens anywhere: nothing is fetched, and only its own script runs."""
