"""Take modules out of the import image while the dynamic linker loads TensorFlow's library.

The linker needs a third of `import tensorflow` for half a million symbols, and Python holds its lock meanwhile. Here
the lock is released around that load, and a second thread unmarshals code that will be wanted next.

Exact because the same file is loaded at the same moment, with the same flags and in the same symbol scope as Python
would load it a moment later; loading earlier than the program does would not be: the library's initialisers read
environment variables that programs set before they import it. Code that was taken out ahead is used under the same
conditions as in `import-image`, and thrown away otherwise.

It refuses on one processor, and leaves every extension module alone that is not TensorFlow's own or that loads fast.
"""

SHORT = "libraries loaded beside Python"
ORDER = 35
NEEDS_CACHE = True
SETTINGS: dict[str, object] = {}
