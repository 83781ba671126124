"""The one door to the frameworks.

`tables/` names every place of TensorFlow, Keras, NumPy and h5py that the agent wraps, replaces or reads, as data that needs no
framework; `door.py` puts something of ours there and takes it away again; `versions.py` says which versions that was tried on.
"""
