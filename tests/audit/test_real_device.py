"""An audit of this machine's OpenCL device in a process of its own, from the command line to the report."""

import json

EXACT = ["fabs", "floor", "copysign"]  # correct on any device


def test_audit_of_a_real_device_judges_every_case(clm, opencl_device, tmp_path):
    file = tmp_path / "device.json"
    words = ["--functions", "fabs,floor,copysign,exp,frexp,add_sat", "--types", "float,int", "--inputs", "2000"]
    status, out, complaint = clm("audit", opencl_device, *words, "--jobs", "1", "--json", file)
    report = json.loads(file.read_text())
    rows = {(row["built-in"], row["type"]): row for row in report["rows"]}
    assert report["complete"]
    assert rows.keys() == {*((name, "float") for name in (*EXACT, "exp", "frexp")), ("add_sat", "int")}, complaint
    for (name, _), row in rows.items():
        assert row["status"] in ("pass", "fail"), (name, row["reason"])
        assert row["tried"] > 2000
        assert row["failed"] == 0 or name not in EXACT, (name, row["failures"])
    assert status == any(row["status"] == "fail" for row in rows.values())
    assert all(name in out for name in EXACT)
