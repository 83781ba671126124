"""Modules of ours that functions are traced, kept, answered and proved with: all there before the program's functions are traced.

Whoever stands in `sys.meta_path` by then (a program's own finder, pytest's, which notes each name) is asked for nothing of ours, neither
here nor in the copies that prove.
"""

import sys

from firststep_agent.boost import upkeep  # noqa: F401
from firststep_agent.boost.cache_functions import hooks  # noqa: F401
from firststep_agent.boost.cache_functions.answer import bound, messages  # noqa: F401
from firststep_agent.boost.cache_functions.keep import nearest  # noqa: F401
from firststep_agent.boost.cache_functions.key import ingredients  # noqa: F401
from firststep_agent.boost.cache_functions.reads import repeated, verify, whole  # noqa: F401
from firststep_agent.boost.traces import libraries, unchanged  # noqa: F401

if hasattr(sys, "monitoring"):
    from firststep_agent.boost.cache_functions.reads import by_monitoring  # noqa: F401
else:
    from firststep_agent.boost.cache_functions.reads import by_profiler  # noqa: F401
