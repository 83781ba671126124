"""Answers one request with a converted classifier, by LiteRT's own runtime: no TensorFlow is imported."""
import sys

import numpy as np
from ai_edge_litert.interpreter import Interpreter

interpreter = Interpreter(model_path=sys.argv[1])
interpreter.allocate_tensors()
interpreter.set_tensor(interpreter.get_input_details()[0]["index"], np.zeros((1, 32, 32, 3), dtype="float32"))
interpreter.invoke()
print(interpreter.get_tensor(interpreter.get_output_details()[0]["index"]).tolist())
