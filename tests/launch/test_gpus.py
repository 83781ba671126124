"""The driver's library is asked in its own words; where it is missing or fails, nothing is known."""

import ctypes

from firststep.launch import gpus


class Nvml:
    """As libnvidia-ml.so.1 answers: pointers in, error codes out. fails: of calls by name."""

    def __init__(self, number=1, begun=0, **fails):
        self._number, self._begun, self._fails, self.ended = number, begun, fails, False

    def nvmlInit_v2(self):
        return self._begun

    def nvmlShutdown(self):
        self.ended = True

    def nvmlDeviceGetCount_v2(self, count):
        count._obj.value = self._number
        return self._fails.get("count", 0)

    def nvmlDeviceGetHandleByIndex_v2(self, number, device):
        device._obj.value = number.value + 1
        return self._fails.get("handle", 0)

    def nvmlDeviceGetName(self, device, name, size):
        name.value = b"NVIDIA H100"
        assert size.value == ctypes.sizeof(name)
        return self._fails.get("name", 0)

    def nvmlDeviceGetCudaComputeCapability(self, device, major, minor):
        major._obj.value, minor._obj.value = 9, 0
        return self._fails.get("capability", 0)

    def nvmlDeviceGetMemoryInfo(self, device, memory):
        memory._obj.total = 80 << 30
        return self._fails.get("memory", 0)

    def nvmlDeviceGetPersistenceMode(self, device, mode):
        mode._obj.value = 1
        return self._fails.get("mode", 0)


def test_every_gpu_is_described():
    nvml = Nvml(2)
    assert gpus.listed(nvml) == [{"name": "NVIDIA H100", "capability": "9.0", "memory": 80 << 30, "persistent": True}] * 2
    assert nvml.ended


def test_what_the_driver_does_not_say_is_left_out():
    assert gpus.listed(Nvml(memory=3, mode=3)) == [{"name": "NVIDIA H100", "capability": "9.0"}]
    assert gpus.listed(Nvml(handle=15)) == [{}]
    assert gpus.listed(Nvml(count=999)) is None


def test_no_driver_means_no_gpu_and_any_other_error_that_nobody_knows():
    assert gpus.listed(Nvml(begun=9)) == []
    assert gpus.listed(Nvml(begun=18)) is None


def test_without_the_library_nothing_is_known_and_nothing_said(monkeypatch, capfd):
    monkeypatch.setattr(gpus, "LIBRARY", "libnothing-of-this-name.so.7")
    gpus.gpus.cache_clear()
    try:
        assert gpus.gpus() is None
    finally:
        gpus.gpus.cache_clear()
    assert capfd.readouterr() == ("", "")
