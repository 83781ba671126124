"""Lines that TensorFlow and XLA logged on their users' machines, as those reported them; each with where."""

PTX = (  # tensorflow/tensorflow#60739
    "2023-05-31 14:45:08.138842: W tensorflow/core/common_runtime/gpu/gpu_device.cc:2052] TensorFlow was not built with CUDA kernel "
    "binaries compatible with compute capability 9.0. CUDA kernels will be jit-compiled from PTX, which could take 30 minutes or longer.")
PTX_LATER = (  # tensorflow/tensorflow#97387
    "W0000 00:00:1753232013.685876   24341 gpu_device.cc:2431] TensorFlow was not built with CUDA kernel binaries compatible with compute "
    "capability 12.0. CUDA kernels will be jit-compiled from PTX, which could take 30 minutes or longer.")
PTXAS = (  # tensorflow/tensorflow#50562: four lines
    "2021-07-01 22:39:34.767676: W tensorflow/stream_executor/gpu/redzone_allocator.cc:314] Internal: ptxas exited with non-zero error "
    "code -1, output: ",
    "Relying on driver to perform ptx compilation. ",
    "Modify $PATH to customize ptxas location.",
    "This message will be only logged once.")
PTXAS_OLD = (  # tensorflow/serving#1821
    "2021-02-27 01:33:49.415225: W external/org_tensorflow/tensorflow/stream_executor/gpu/asm_compiler.cc:235] Your CUDA software stack "
    "is old. We fallback to the NVIDIA driver for some compilation. Update your CUDA version to get the best performance. The ptxas "
    "error was: ptxas fatal   : Value 'sm_86' is not defined for option 'gpu-name'")
NO_LIBRARIES = (  # NVIDIA/tensorflow#110
    "2024-06-19 16:06:44.996140: W tensorflow/core/common_runtime/gpu/gpu_device.cc:1689] Cannot dlopen some GPU libraries. Please make "
    "sure the missing libraries mentioned above are installed properly if you would like to use GPU. Follow the guide at "
    "https://www.tensorflow.org/install/gpu")
NO_LIBRARIES_LATER = (  # TensorFlow 2.21.0's wheel with the packages of its `and-cuda`, seen on an NVIDIA H100, 2026-11-24
    "W0000 00:00:1795566507.426955    1209 gpu_device.cc:2365] Cannot dlopen some GPU libraries. Please make sure the missing libraries "
    "mentioned above are installed properly if you would like to use GPU. Follow the guide at https://www.tensorflow.org/install/gpu for "
    "how to download and setup the required libraries for your platform.")
H100_IN_USE = (  # the same, with the folders of these packages in LD_LIBRARY_PATH
    "I0000 00:00:1795567551.627390     923 gpu_device.cc:2043] Created device /job:localhost/replica:0/task:0/device:GPU:0 with 78752 MB "
    "memory:  -> device: 0, name: NVIDIA H100 80GB HBM3, pci bus id: 0000:00:06.0, compute capability: 9.0a",
    "I0000 00:00:1795567554.153002     984 service.cc:153] XLA service 0x7f7b74044ed0 initialized for platform CUDA (this does not "
    "guarantee that XLA will be used). Devices:",
    "I0000 00:00:1795567554.153034     984 service.cc:161]   StreamExecutor [0]: NVIDIA H100 80GB HBM3, Compute Capability 9.0a (Driver: "
    "13.0.0; Runtime: 12.5.0; Toolkit: 12.5.0; DNN: 9.3.0)",
    "I0000 00:00:1795567554.302805     984 cuda_dnn.cc:461] Loaded cuDNN version 90300",
    "I0000 00:00:1795567557.667251     984 device_compiler.h:208] Compiled cluster using XLA!  This line is logged at most once for the "
    "lifetime of the process.",
    "W0000 00:00:1795567993.361309    9414 gpu_bfc_allocator.cc:47] Overriding orig_value setting because the "
    "TF_FORCE_GPU_ALLOW_GROWTH environment variable is set. Original config value was false.",
    "I0000 00:00:1795567950.530329    8673 cuda_diagnostics.cc:163] CUDA_VISIBLE_DEVICES is set to -1 - this hides all GPUs from CUDA")
NO_CUSOLVER = (  # NVIDIA/tensorflow#110
    "2024-06-19 16:06:44.996032: W tensorflow/stream_executor/platform/default/dso_loader.cc:60] Could not load dynamic library "
    "'libcusolver.so.11'; dlerror: libnvJitLink.so.12: cannot open shared object file: No such file or directory")
NO_TENSORRT = (  # tensorflow/tensorflow#37689, on a machine without a GPU
    "2020-03-18 08:16:50.221103: W tensorflow/stream_executor/platform/default/dso_loader.cc:55] Could not load dynamic library "
    "'libnvinfer.so.6'; dlerror: libnvinfer.so.6: cannot open shared object file: No such file or directory; LD_LIBRARY_PATH: "
    "/usr/local/cuda/lib64:/.singularity.d/libs")
NO_DEVICE = (  # tensorflow/tensorflow#62494
    "2023-11-28 16:42:02.591947: E tensorflow/stream_executor/cuda/cuda_driver.cc:328] failed call to cuInit: CUDA_ERROR_NO_DEVICE: no "
    "CUDA-capable device is detected")
NO_GPU_AT_ALL = (  # nanoporetech/medaka#214, and tensorflow/tensorflow#66750: both of machines that have none
    "2020-10-08 23:28:14.726991: E tensorflow/stream_executor/cuda/cuda_driver.cc:313] failed call to cuInit: UNKNOWN ERROR (303)",
    "2024-06-28 00:03:52.493638: I tensorflow/tsl/cuda/cudart_stub.cc:28] Could not find cuda drivers on your machine, GPU will not be "
    "used.")
NO_TOKEN = (  # kpertsch/rlds_dataset_builder#19
    "2025-10-14 16:08:19.552975: W tensorflow/tsl/platform/cloud/google_auth_provider.cc:184] All attempts to get a Google authentication "
    "bearer token failed, returning an empty token. Retrieving token from files failed with \"NOT_FOUND: Could not locate the credentials "
    "file.\". Retrieving token from GCE failed with \"FAILED_PRECONDITION: Error executing an HTTP request: libcurl code 6 meaning "
    "'Couldn't resolve host name', error details: Could not resolve host: metadata.google.internal\".")
TRIED = (  # keras-team/keras-cv#2406
    "2024-03-31 17:21:12.544249: E external/local_xla/xla/service/slow_operation_alarm.cc:65] Trying algorithm eng0{} for conv "
    "(f32[4,256,257,257]{3,2,1,0}, u8[0]{0}) custom-call(f32[4,512,128,128]{3,2,1,0}, f32[512,256,3,3]{3,2,1,0}), window={size=3x3 "
    "stride=2x2}, dim_labels=bf01_oi01->bf01, custom_call_target=\"__cudnn$convBackwardInput\", backend_config={\"operation_queue_id\":"
    "\"0\",\"wait_on_operation_queues\":[],\"cudnn_conv_backend_config\":{\"conv_result_scale\":1,\"activation_mode\":\"kNone\","
    "\"side_input_scale\":0,\"leakyrelu_alpha\":0}} is taking a while...",
    "2024-03-31 17:21:13.134092: E external/local_xla/xla/service/slow_operation_alarm.cc:133] The operation took 1.58994098s")
ORDINARY = (
    "I tensorflow/core/platform/cpu_feature_guard.cc:210] This TensorFlow binary is optimized to use available CPU instructions",
    "WARNING:tensorflow:5 out of the last 5 calls to <function f> triggered tf.function retracing.",
)
