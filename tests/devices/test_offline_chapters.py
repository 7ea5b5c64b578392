"""Offline runs of every chapter give the same rows as an audit of the device itself, bit by bit."""

import json
import os
import shutil
from dataclasses import replace

import pytest

from clmath.audit.isolation.isolated import Isolated
from clmath.audit.offline.folder import Folder, row_name
from clmath.audit.opencl.devices import find
from clmath.audit.plan.plan import Plan
from clmath.audit.plan.rows import rows_named
from clmath.audit.records import record
from clmath.audit.running.run import audit
from clmath.cli import main
from clmath.cli.one_audit import functions_of
from clmath.spec import families

pytestmark = [
    pytest.mark.skipif(shutil.which("cc") is None or os.name != "posix", reason="there is no C compiler called cc"),
    pytest.mark.timeout(400),  # the first test compiles programs, which takes long
]
NAMES = (  # not FP_ILOGBNAN, which needs ilogb, which C libraries have, too
    "clz,sub_sat,isless,select,as_uint,convert_uchar_sat_rtz,"
    "vloada_half,FLT_MAX,nan,FP_FAST_FMAF,dot_4x8packed_ss_int,"
    "fp_contract_off_mul_add,read_unorm_int8,"
    "shuffle2,left_shift,scalar_sub,narrow_sub,select_operator,work_group_all,work_group_reduce_add,sub_group_broadcast,"
    "sample_bgra"
)
MORE = (
    "convert_float_rtp,convert_half,vstore_half,NAN,read_srgb,sub_group_scan_inclusive_max,sample_depth,"
    "sample_1d_array,sample_linear_2d_array,sample_repeat_half_float,sample_linear_a_float,sample_linear_argb,"
    "read_unorm_short_565,write_unorm_int_101010,sample_integer_rgba,sample_3d,write_snorm_int16,"
    "vstorea_half_rtn,fp_contract_on_mul_add,FP_ILOGB0"
)
TYPES = ["half", "float", "int"]


@pytest.fixture(scope="module")
def where(opencl_numbers):
    """Options of the host that name the device."""
    platform, device = opencl_numbers
    return "--platform", platform, "--device", device


@pytest.fixture(scope="module")
def lab(run, opencl_device):
    folder, out = run(NAMES)
    has = set(find(opencl_device.removeprefix("opencl:")).extensions.split())
    is_whole = has >= {"cl_khr_fp16", "cl_khr_integer_dot_product"}
    assert ("rows are absent: " in out) != is_whole  # half and packed products are optional
    return folder


@pytest.fixture(scope="module")
def few(run):
    """Folder with results of only those rows into which tests inject faults, which saves time."""
    return run("clz,sub_sat,isless,select,FP_FAST_FMAF,sample_bgra,work_group_reduce_add,work_group_all")[0]


@pytest.fixture(scope="module")
def run(tmp_path_factory, host, where):
    """Function that writes a folder of rows and runs the host there; it returns the folder and the host's output."""

    def made(names):
        folder = tmp_path_factory.mktemp("chapters") / "lab"
        words = ["--functions", names, "--types", ",".join(TYPES), "--inputs", "100", "--out", str(folder)]
        assert main(["inputs", *words]) == 0
        status, out, err = host(folder, *where)
        assert (status, err) == (0, "")
        return folder, out

    return made


def checked(lab, report):
    assert main(["check", str(lab), "--json", str(report), "--jobs", "1"]) in {0, 1, 2}
    return json.loads(report.read_text())["rows"]


@pytest.mark.slow
def test_rows_equal_a_live_audit(lab, opencl_device, tmp_path):
    found = as_in_a_live_audit(lab, NAMES, opencl_device, tmp_path)
    chapters = {row.chapter for name in {row["built-in"] for row in found} for row in rows_named(name)}
    may_lack = {"printf", "groups"}  # hosts do not test the former, older devices lack the latter
    assert chapters >= set(families.chapters()) - may_lack
    assert ("groups" in chapters) == ("work_group_all" in {row["built-in"] for row in found})


@pytest.mark.exhaustive
def test_rows_of_more_built_ins_equal_a_live_audit(run, opencl_device, tmp_path):
    assert as_in_a_live_audit(run(MORE)[0], MORE, opencl_device, tmp_path)


def as_in_a_live_audit(lab, names, opencl_device, tmp_path):
    """Return the rows of an audit of the device itself, after comparing the rows of the offline run with them."""
    found = checked(lab, tmp_path / "report.json")
    with Isolated(opencl_device) as live:
        plan = Plan.of(functions_of(names, None), TYPES, inputs=100, local_search=False, jobs=1)
        done = [item for item in plan.items() if not live.defines(item.builtin, item.form)]
        rows = [json.loads(json.dumps(record.written(v))) for v in audit(plan, live, done=done)]
    for row, other in zip(rows, found, strict=True):
        if "does not compile" in row.get("reason", ""):  # the compiler's message contains its options
            del row["reason"]
        del row["notes"]  # output of the driver's compiler, which appears only once
        assert {k: (v, other.get(k)) for k, v in row.items() if v != other.get(k)} == {}, row["built-in"]
    return rows


@pytest.mark.slow
def test_kernel_that_does_not_compile_costs_only_its_row_of_the_group(few, tmp_path, host, with_other_kernels, where):
    other = shutil.copytree(few, tmp_path / "lab")
    with_other_kernels(other, "= sub_sat(", "= no_such_function(")
    rows = Folder.read(other, "test").rows.values()
    group = [row.name for row in rows if row.kernel.startswith("group integer_int ")]
    for name in group:
        (other / "results" / f"{name}.txt").unlink()
    status, out, _ = host(other, *where)
    assert (status, "sub_sat_int: the kernel does not compile: " in out) == (0, True)
    again = {row["built-in"]: row["status"] for row in checked(other, tmp_path / "report.json") if row["type"] == "int"}
    unspecified = {"FP_FAST_FMAF"}  # its value is not specified
    assert {name for name, status in again.items() if status == "not judged"} == {"sub_sat"} | unspecified
    assert again["clz"] == "pass"


@pytest.mark.slow
def test_group_whose_compilation_stopped_the_host_is_not_compiled_again(few, tmp_path, host, with_other_kernels, where):
    other = shutil.copytree(few, tmp_path / "lab")
    begin = "#ifdef GROUP_relational_float\n"
    with_other_kernels(other, begin, f"{begin}#ifndef ALONE\n#error whoever tries finds out\n#endif\n")
    (other / "results/isless_float.txt").write_text("begun 1\n")
    (other / "results/GROUP_relational_float.txt").write_text("begun\n")
    status, out, _ = host(other, *where)
    assert (status, "isless_float: done\n" in out) == (0, True)
    assert (other / "results/GROUP_relational_float.txt").exists()
    assert host(other, *where, "--again")[0] == 0


@pytest.mark.slow
def test_kernel_that_writes_beyond_its_last_result_is_not_judged(few, tmp_path, host, with_other_kernels, where):
    other = shutil.copytree(few, tmp_path / "lab")
    with_other_kernels(other, "((__global int *)out)[i] = clz", "((__global int *)out)[i + 1] = clz")
    (other / "results/clz_int.txt").unlink()
    assert "clz_int: wrote beyond its last result\n" in host(other, *where)[1]
    rows = {(row["built-in"], row["type"]): row for row in checked(other, tmp_path / "report.json")}
    assert rows["clz", "int"]["status"] == "not judged"


@pytest.mark.slow
def test_library_lists_rows_without_functions(few, tmp_path, clm):
    import subprocess

    other = shutil.copytree(few, tmp_path / "lab")
    shutil.rmtree(other / "results")
    (other / "results").mkdir()
    subprocess.run(["cc", "-fno-builtin", "-o", other / "library", other / "library.c", "-lm"], check=True)
    done = subprocess.run([other / "library"], cwd=other, capture_output=True, text=True, check=False)
    count = len(Folder.read(other, "test").rows)
    assert (done.returncode, f"{count} rows are absent: " in done.stdout) == (0, True)
    status, _, err = clm("check", str(other))
    assert (status, err.count("\n")) == (2, 1)
    assert err.startswith("clmath check: the device has none of the functions in ")


@pytest.mark.slow
def test_file_names_of_rows_differ_even_if_case_is_ignored():
    plan = Plan.of(functions_of(None, "all"), widths=(1, 2, 3, 4, 8, 16))
    names = [row_name(item).casefold() for item in plan.items()]
    assert len(set(names)) == len(names) > 3000
    assert row_name(replace(plan.items()[0], vector=4)).endswith("4")


@pytest.mark.slow
def test_macro_is_compared_with_the_stored_results_of_its_function(tmp_path, host, opencl_numbers, with_other_kernels):
    folder = tmp_path / "lab"
    words = ["--functions", "ilogb,FP_ILOGB0,FP_ILOGBNAN", "--types", "float,int", "--inputs", "100"]
    assert main(["inputs", *words, "--out", str(folder)]) == 0
    platform, device = opencl_numbers
    where = ("--platform", platform, "--device", device)
    assert host(folder, *where)[0] == 0
    assert {row["status"] for row in checked(folder, tmp_path / "one.json")} == {"pass"}
    with_other_kernels(folder, "= FP_ILOGB0;", "= FP_ILOGB0 == INT_MIN ? -INT_MAX : INT_MIN;")
    (folder / "results/macro_FP_ILOGB0_int.txt").unlink()
    assert host(folder, *where)[0] == 0
    rows = {row["built-in"]: row["status"] for row in checked(folder, tmp_path / "other.json")}
    assert rows == {"ilogb": "pass", "FP_ILOGB0": "fail", "FP_ILOGBNAN": "pass"}


@pytest.mark.slow
def test_damaged_texels_are_refused(few, tmp_path, host, where):
    other = shutil.copytree(few, tmp_path / "lab")
    texels = other / "inputs/sample_bgra_float4.texels"
    texels.write_bytes(texels.read_bytes()[::-1])
    (other / "results/sample_bgra_float4.txt").unlink()
    status, _, err = host(other, *where)
    assert status == 2
    assert err.startswith("host: inputs/sample_bgra_float4.texels: was changed or damaged on its way")


FAULTS = {  # faults of a device: row, part of its kernel, and the replacement
    "a texel without alpha": (
        "sample_bgra_float4",
        "vstore4(read_imagef(",
        "vstore4((float4)(1, 1, 1, 0) * read_imagef(",
    ),
    "a work-group without its first item": (
        "work_group_reduce_add_int16",
        "work_group_reduce_add(in0[i])",
        "work_group_reduce_add(get_local_id(0) ? in0[i] : 0)",
    ),
    "an item of another work-group": (
        "work_group_all_int16",
        "work_group_all(in0[i] != 0)",
        "work_group_all(in0[i + 16 < n * 16 ? i + 16 : i] != 0)",
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS)
def test_faults_of_samplers_and_work_groups_fail(few, tmp_path, host, with_other_kernels, where, fault):  # noqa: PLR0917
    name, right, wrong = FAULTS[fault]
    if "absent" in (few / f"results/{name}.txt").read_text():
        pytest.skip("the device has no functions of work-groups")
    other = shutil.copytree(few, tmp_path / "lab")
    after = (other / "kernels.cl").read_text().split(f"#ifdef ROW_{name}\n")[1]
    with_other_kernels(other, after, after.replace(right, wrong, 1))
    (other / f"results/{name}.txt").unlink()
    assert host(other, *where)[0] == 0
    row = Folder.read(other, "test").rows[name]
    found = {(r["built-in"], r["type"], r["lanes"]): r["status"] for r in checked(other, tmp_path / "report.json")}
    assert found[row.builtin, row.type, row.lanes] == "fail"
