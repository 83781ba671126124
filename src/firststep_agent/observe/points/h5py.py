"""Hook points of h5py: files opened and data sets read."""

from firststep_agent.observe.labels import files
from firststep_agent.observe.points import Point

POINTS = (
    Point("h5py._hl.files", "File.__init__", "file-read", package="h5py", name=files.second_argument,
          labels=files.opened),
    Point("h5py._hl.dataset", "Dataset.__getitem__", "file-read", package="h5py", name=files.dataset_name,
          labels=files.dataset),
    Point("h5py._hl.dataset", "Dataset.read_direct", "file-read", package="h5py", name=files.dataset_name,
          labels=files.dataset),
)
