"""Devices store results in shared memory, several batches at a time: results and faults are the same."""

import functools
import os
import threading

import numpy as np
import pytest

from clmath.audit.inputs.exhaustive import swept_columns
from clmath.audit.isolation import child
from clmath.audit.isolation.choosing import target_named
from clmath.audit.isolation.isolated import Isolated
from clmath.audit.opencl.kernel import kernel_source
from clmath.audit.plan.rows import item_of
from clmath.audit.protocol.memory import BEHIND, Memory, is_shared, spans
from clmath.audit.protocol.target import UNDER_WAY, FaultError, Storing
from clmath.numbers.formats import FLOAT
from clmath.spec.builtins import builtin
from tests.cases import for_each

X = np.linspace(-3, 3, 4099, dtype=np.float32)
on_linux = pytest.mark.skipif(not is_shared(), reason="only Linux has memory that processes share by a descriptor")


@pytest.fixture
def device(opencl_device):
    return target_named(opencl_device)


def rooms_for(name, count):
    sizes = [span.stop - span.start for span in spans(item_of(builtin(name), FLOAT).layout(count))]
    return [np.zeros(size + BEHIND, np.uint8) for size in sizes]


@pytest.mark.slow
@for_each("name", ["sin", "frexp", "ilogb"])
@for_each("copied", [False, True])
def test_results_of_a_batch_do_not_depend_on_where_they_are_stored(device, name, copied, monkeypatch):
    if copied:  # like a device with memory of its own
        monkeypatch.setattr(type(device._device), "type", device._cl.device_type.GPU)
    row, item = builtin(name), item_of(builtin(name), FLOAT)
    begun = []
    for n in range(UNDER_WAY):
        rooms = rooms_for(name, len(X))
        begun.append((n, rooms, device.storing(row, FLOAT, (X + np.float32(n),), rooms)))
    for n, rooms, wait in begun:
        wait()
        expected = device.evaluate(row, FLOAT, (X + np.float32(n),))
        for (dtype, _), room, result in zip(item.layout(len(X)), rooms, expected, strict=True):
            assert room[:-BEHIND].view(dtype).tobytes() == result.tobytes()


@pytest.mark.slow
def test_writing_beyond_the_results_is_caught(device, monkeypatch):
    def longer(row, form, width=1):
        return kernel_source(row, form, width).replace("out0[i] = o0;", "out0[i + 1] = o0;")

    monkeypatch.setattr("clmath.audit.opencl.programs.kernel_source", longer)
    wait = device.storing(builtin("exp"), FLOAT, (X,), rooms_for("exp", len(X)))
    with pytest.raises(FaultError, match=r"exp\(float\) wrote beyond its last result"):
        wait()


@pytest.mark.slow
def test_missing_result_is_not_taken_from_the_batch_before(device, monkeypatch):
    def idle(row, form, width=1):
        return kernel_source(row, form, width).replace("out0[i] = o0;", "if (i % 2) out0[i] = o0;")

    monkeypatch.setattr("clmath.audit.opencl.programs.kernel_source", idle)
    (room,) = rooms_for("exp", len(X))
    for _ in range(2):
        device.storing(builtin("exp"), FLOAT, (X,), [room])()
        assert set(FLOAT.bits(room[:-BEHIND].view(np.float32))[0::2].tolist()) == {0x5A5A5A5A}


@pytest.mark.slow
@on_linux
@for_each("name", ["sin", "frexp"])
def test_parts_of_all_floats_are_stored_where_they_are_read(opencl_device, name):
    item, parts = item_of(builtin(name), FLOAT), [4095, 0, 1234]
    device = target_named(opencl_device)
    with Isolated(opencl_device) as asked:
        for part, place in zip(parts, asked.swept(item, parts), strict=True):
            args = swept_columns(item, [part])
            expected = device.evaluate(item.builtin, FLOAT, args)
            layout = item.layout(len(args[0]))
            for (dtype, _), span, result in zip(layout, spans(layout), expected, strict=True):
                assert place.bytes()[span].view(dtype).tobytes() == result.tobytes()


class Sky:
    """A target that stores sums in threads of its own; some batches fail at their start, some later, one at a time."""

    name = "sky"

    def __init__(self, trouble):
        self.trouble = trouble  # by the number of the batch
        self.begun, self.most, self.under_way = 0, 0, 0

    def storing(self, row, form, args, rooms):  # noqa: ARG002 - the protocol
        number, self.begun = self.begun, self.begun + 1
        self.under_way += 1
        self.most = max(self.most, self.under_way)
        if self.trouble.get(number) == "begins":
            raise ValueError("no such batch")
        work = threading.Thread(target=self.work, args=(args, rooms))
        work.start()
        return functools.partial(self.wait, number, work)

    def work(self, args, rooms):
        rooms[0][:-BEHIND] = (args[0].view(np.uint32) + np.uint32(1)).view(np.uint8)

    def wait(self, number, work):
        work.join()
        self.under_way -= 1
        if self.trouble.get(number) == "ends":
            raise ValueError("no end")


@on_linux
@for_each("trouble, answers, said", [({}, 7, ""), ({2: "begins"}, 0, "batch"), ({5: "ends"}, 5, "end")])
def test_batches_are_answered_in_order_and_none_remains(trouble, answers, said):
    item, memory, sky = item_of(builtin("fabs"), FLOAT), Memory(5 << 20), Sky(trouble)
    server = child._Server(None)
    server._target = sky
    assert isinstance(sky, Storing)
    places = [memory.take() for _ in range(7)]
    swept, done = server.sweep(item, range(7), places), []
    while answer := server.next_of(swept):
        done.append(answer)
        if answer[0] == child.DONE:
            part, place = len(done) - 1, places[len(done) - 1]
            found = place.bytes()[: 4 << 20].view(np.uint32)
            assert np.array_equal(found, swept_columns(item, [part])[0].view(np.uint32) + np.uint32(1))
    assert [kind for kind, *_ in done] == [child.DONE] * answers + [child.REFUSED] * bool(said)
    assert said in str(done[-1])
    assert sky.under_way == (1 if trouble.get(2) else 0)
    assert sky.most <= UNDER_WAY
    memory.close()


@on_linux
def test_place_is_mapped_once_until_other_memory_is_read():
    memory, other = Memory(1 << 12), Memory(1 << 12)
    place = memory.take()
    first = place.bytes()
    os.pwrite(memory.descriptor, b"new", place.start)
    assert place.bytes() is first
    assert first[:3].tobytes() == b"new"
    assert not other.take().bytes().any()
    assert place.bytes() is not first
    memory.close()
    other.close()


def test_results_are_stored_apart():
    first, second = spans(item_of(builtin("frexp"), FLOAT).layout(5))
    assert (first, second) == (slice(0, 20), slice(2 * BEHIND, 2 * BEHIND + 20))
