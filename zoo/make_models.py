"""Makes the model files that the load_and_predict programs load.

    python zoo/make_models.py                    makes them all
    python zoo/make_models.py classifier.keras   makes one

They lie under $ZOO_DATA (default: a folder "zoo-data" in the system's temporary folder), in one folder
per TensorFlow version. A program that finds its file missing has it made in a process of its own: run this
first, and the program's start only loads.
"""
import importlib.metadata
import os
import shutil
import subprocess
import sys
import tempfile

MODELS = (
    "classifier.keras",
    "classifier.h5",
    "classifier_saved_model",
    "resnet50.keras",
    "resnet50_saved_model",
    "resnet50_one_function",
    "pretrained_model.h5",
)


def tensorflow_version():
    for name in ("tensorflow", "tensorflow-cpu"):
        try:
            return importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            pass
    return "unknown"


def place_of(name):
    root = os.environ.get("ZOO_DATA") or os.path.join(tempfile.gettempdir(), "zoo-data")
    return os.path.join(root, "tensorflow-" + tensorflow_version(), name)


def model_path(name):
    """The path of the model `name`, made first where it is missing."""
    path = place_of(name)
    if not os.path.exists(path):
        subprocess.run([sys.executable, os.path.abspath(__file__), name], check=True, stdout=sys.stderr)
    return path


def build_classifier(tf):
    return tf.keras.Sequential([
        tf.keras.Input(shape=(32, 32, 3)),
        tf.keras.layers.Conv2D(32, 3, activation="relu"),
        tf.keras.layers.BatchNormalization(),
        tf.keras.layers.MaxPooling2D(),
        tf.keras.layers.Conv2D(64, 3, activation="relu"),
        tf.keras.layers.MaxPooling2D(),
        tf.keras.layers.Flatten(),
        tf.keras.layers.Dense(1024, activation="relu"),
        tf.keras.layers.Dense(10, activation="softmax"),
    ])


def build_wide_mlp(tf):
    return tf.keras.Sequential([
        tf.keras.Input(shape=(784,)),
        tf.keras.layers.Dense(2048, activation="relu"),
        tf.keras.layers.Dense(2048, activation="relu"),
        tf.keras.layers.Dense(10),
    ])


def build(tf, name):
    if name.startswith("resnet50"):
        return tf.keras.applications.ResNet50(weights=None)
    model = build_wide_mlp(tf) if name == "pretrained_model.h5" else build_classifier(tf)
    model.compile(optimizer="adam", loss="sparse_categorical_crossentropy")
    return model


def save_one_function(tf, model, path):
    """Only what a server calls: `model.export` saves each variable twice."""
    served = tf.Module()
    served.weights = [weight if isinstance(weight, tf.Variable) else weight.value for weight in model.weights]
    signature = [tf.TensorSpec((None, *model.input_shape[1:]))]
    served.serve = tf.function(lambda x: model(x, training=False), input_signature=signature, autograph=False)
    tf.saved_model.save(served, path)


def make(name):
    import tensorflow as tf

    tf.keras.utils.set_random_seed(42)
    final = place_of(name)
    os.makedirs(os.path.dirname(final), exist_ok=True)
    # Made aside and renamed: programs started at the same time never see half a file.
    aside = tempfile.mkdtemp(dir=os.path.dirname(final))
    made = os.path.join(aside, name)
    model = build(tf, name)
    if name.endswith("_saved_model"):
        model.export(made)
    elif name.endswith("_one_function"):
        save_one_function(tf, model, made)
    else:
        model.save(made)
    if not os.path.exists(final):
        os.rename(made, final)
    shutil.rmtree(aside)
    print("made", final)


if __name__ == "__main__":
    for wanted in sys.argv[1:] or MODELS:
        if wanted not in MODELS:
            sys.exit(f"no model {wanted!r}; there are: {', '.join(MODELS)}")
        make(wanted)
