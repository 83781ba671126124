"""What can be watched: one module each, named in the plan; `start(run, settings)` begins the watching."""

OBSERVERS = (
    "imports",
    "native-libraries",
    "garbage-collection",
    "processes",
    "samples",
    "network",
    "frameworks",
    "steps",
    "framework-log",
    "results",
    "hook-points",
    "machine",
    "afterwards",
    "seen-outside",
    "program-code",
)
