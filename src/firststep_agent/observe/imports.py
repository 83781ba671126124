"""Every module's import as a span, and which modules were compiled from source."""

import _frozen_importlib_external as external


def start(run, settings):
    run.imports.record = True
    run.on_ready(lambda: setattr(run.imports, "record", False))
    _watch_compilation(run)


def _watch_compilation(run):
    original = external.SourceLoader.source_to_code

    def source_to_code(self, data, path, **options):
        token = run.recorder.begin("compile-source", str(path))
        try:
            return original(self, data, path, **options)
        finally:
            run.recorder.end(token)

    run.replace(external.SourceLoader, "source_to_code", source_to_code)
