"""h5py: files opened and data sets read."""

from firststep_agent.frameworks.points import Point, SpanRule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def _reads(module: str, attribute: str, **span: "Any") -> "Point":
    return Point(module, attribute, package="h5py", span=SpanRule("file-read", **span))


POINTS = (
    _reads("h5py._hl.files", "File.__init__", name="files.second_argument", labels="files.opened"),
    _reads("h5py._hl.dataset", "Dataset.__getitem__", name="files.dataset_name", labels="files.dataset"),
    _reads("h5py._hl.dataset", "Dataset.read_direct", name="files.dataset_name", labels="files.dataset"),
)
