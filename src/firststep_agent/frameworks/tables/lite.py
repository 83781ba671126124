"""TensorFlow Lite's interpreters: an invocation is a prediction."""

from firststep_agent.frameworks.points import Point

INTERPRETERS = {"tensorflow.lite.python.interpreter": "tensorflow", "tflite_runtime.interpreter": "tflite_runtime",
                "ai_edge_litert.interpreter": "ai_edge_litert"}

POINTS = tuple(
    Point(module, attribute, package=package, step="runs-interpreter",
          untried=None if package == "tensorflow" else "the code of TensorFlow's interpreter, in a package of its own")
    for module, package in INTERPRETERS.items()
    for attribute in ("Interpreter.invoke", "SignatureRunner.__call__")
)
