"""Lines that TensorFlow and XLA log, as users reported them."""

PTX = (  # tensorflow/tensorflow#62320 and others
    "W0000 00:00:1723.1 1 gpu_device.cc:2431] TensorFlow was not built with CUDA kernel binaries compatible with compute capability "
    "9.0. CUDA kernels will be jit-compiled from PTX, which could take 30 minutes or longer.")
PTXAS = (  # xla/stream_executor/gpu/asm_compiler.cc
    "W external/local_xla/xla/stream_executor/gpu/asm_compiler.cc:225] Falling back to the CUDA driver for PTX compilation; "
    "Relying on driver to perform ptx compilation.")
NO_LIBRARIES = (  # tensorflow/core/common_runtime/gpu/gpu_device.cc
    "W tensorflow/core/common_runtime/gpu/gpu_device.cc:2256] Cannot dlopen some GPU libraries. Please make sure the missing "
    "libraries mentioned above are installed properly if you would like to use GPU.")
NO_DRIVER = (  # tensorflow/compiler/xla/stream_executor/cuda/cuda_driver.cc
    "E external/local_xla/xla/stream_executor/cuda/cuda_driver.cc:152] failed call to cuInit: INTERNAL: CUDA error: Failed call to "
    "cuInit: UNKNOWN ERROR (303)")
NO_RUNTIME = (  # tensorflow/tsl/platform/default/dso_loader.cc
    "W tensorflow/tsl/platform/default/dso_loader.cc:60] Could not load dynamic library 'libcudart.so.11.0'; dlerror: "
    "libcudart.so.11.0: cannot open shared object file: No such file or directory")
ORDINARY = (
    "I tensorflow/core/platform/cpu_feature_guard.cc:210] This TensorFlow binary is optimized to use available CPU instructions",
    "WARNING:tensorflow:5 out of the last 5 calls to <function f> triggered tf.function retracing.",
)
