"""Read what a start needs from disk ahead of time and in parallel.

A cold start waits for the disk thousands of times, one page fault after the other. The first run notes which pages
of mapped libraries it touched and which files it opened (weights, and the cache's own image); when they are not in
memory, the next start asks the kernel for all of them at once, while the interpreter still starts.

Exact because reading ahead changes nothing but the page cache. A file that is not the one that was learned is left
out.

It does nothing where samples show that it is all in memory, and refuses where it would take more than half of the
memory that is free.
"""

SHORT = "pages read ahead"
ORDER = 5
NEEDS_CACHE = True
SETTINGS: dict[str, object] = {}
