"""Each run of the garbage collector as a span."""

import gc


def start(run, settings):
    tokens = []

    def collector(phase, info):
        if phase == "start":
            tokens.append(run.recorder.begin("gc", f"generation {info['generation']}"))
        elif tokens:
            run.recorder.end(tokens.pop(), {"collected": info["collected"]} if info["collected"] else None)

    def stop():
        if collector in gc.callbacks:
            gc.callbacks.remove(collector)

    gc.callbacks.append(collector)
    run.on_ready(stop)
    run.on_exit(stop)
