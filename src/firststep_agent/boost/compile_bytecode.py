"""Bytecode of modules whose own is missing, stale, or cannot be written, kept in the image."""

from firststep_agent.boost.import_image import begin

ID = "compile-bytecode"


def start(run, settings):
    begin(run, ID)
