"""Keeps traced and optimised tf.functions on disk and binds them to the variables of the next process.

On the learning run a function is traced as before; what TensorFlow's optimiser made of it is stored with a manifest of
everything the trace depended on. On a later run, where the manifest still holds, a top-level eager call of the
function is answered from the stored graph; anything else that is asked of the function traces it plainly.
docs/function-cache.md says what is refused, and why.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

ID = "cache-functions"


def start(run: "Any", settings: "dict[str, Any]") -> None:
    """Waits for TensorFlow and Keras; nothing is imported before the program does it."""

    from firststep_agent.boost.program import program
    from firststep_agent.boost.store import store_for

    program()  # while the folder is the one that it began in
    if store_for(run, ID) is None:  # the cache directory is not this user's alone, which is noted
        return

    def install(module):
        from firststep_agent.boost.cache_functions import hooks, wanted  # noqa: F401

        hooks.install(run, settings)

    run.after_import("tensorflow.python.framework.versions", install)
