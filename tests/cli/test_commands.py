"""list, devices, show, eval and invalid input: output, where it is printed, and exit status."""

import itertools
import re
import subprocess
import sys
from fractions import Fraction

import mpmath
import numpy as np
import pytest

import clmath
from clmath.audit.inputs import values
from clmath.numbers.formats import DOUBLE, FLOAT, FORMATS, HALF, KNOWN
from clmath.spec import files
from clmath.spec.builtins import EXACT, builtins
from clmath.spec.families import TABLE
from tests.cases import for_each


def test_python_dash_m_runs_the_command():
    done = subprocess.run(
        [sys.executable, "-m", "clmath", "eval", "sin", "0x1.921fb6p+1", "--type", "float"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert "rte       -0x1.777a5cp-24 [0xb3bbbd2e]" in done.stdout


def test_closed_output_is_not_an_error():
    with subprocess.Popen(
        [sys.executable, "-m", "clmath", "list"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        process.stdout.close()
        assert process.stderr.read() == ""
    assert process.returncode == 0


def test_version_and_help(clm):
    assert clm("--version") == (0, f"clmath {clmath.__version__}\n", "")
    status, out, _ = clm()
    assert status == 0
    assert all(command in out for command in ("audit", "devices", "eval", "show", "list"))
    status, out, _ = clm("audit", "--help")
    assert status == 0
    assert "MODULE:CALLABLE" in out


def test_no_command_shows_the_engines(clm):
    status, out, _ = clm()
    assert status == 0
    reported = out.partition("\nengines:\n")[2].splitlines()
    assert [line.split(maxsplit=1) for line in reported] == [[name, text] for name, text in clmath.engines().items()]
    assert any("runs by itself" in line for line in reported)


def test_list_names_every_built_in(clm):
    status, out, _ = clm("list")
    assert status == 0
    declared = [line.strip() for line in out.splitlines() if line.startswith("    ")]
    both = [*builtins().values(), *builtins(*EXACT).values()]
    families = [line for entry in files.load(TABLE).values() for line in entry["declarations"]]
    assert sorted(declared) == sorted([*(row.declaration for row in both), *families])


def test_list_of_one_chapter(clm):
    _, out, _ = clm("list", "--chapter", "geometric")
    declared = [line.strip() for line in out.splitlines() if line.startswith("    ")]
    assert declared == [row.declaration for row in builtins("geometric").values()]


@for_each("name", builtins())
def test_show_lists_limits_of_every_profile(clm, name):
    status, out, _ = clm("show", name)
    assert status == 0
    row = builtins()[name]
    assert row.declaration in out
    for form in row.formats:
        for profile in ("full", "embedded", "relaxed", "relaxed embedded"):
            assert re.search(rf"^    {form.name} +{profile} +\S", out, re.MULTILINE)


LANES = "    vectors: component by component, of 2, 3, 4, 8 or 16 components (audit --widths)\n"


@for_each(
    "words, wanted",
    [
        ("show mix", "formula: x + (y - x) * a; every operation is rounded\n"),
        ("show mad", "formula: a * b + c; rounded once, or every operation where contraction is off\n"),
        ("show atan2pi", "    atan2pi(±0, -0) = ±1 "),
        ("show clamp", "common chapter"),
        ("show clamp", "integer chapter"),
        ("show isless", "    true: 1, and -1 in each component of a vector\n"),
        ("show vstore_half_rtz", "every result: correctly rounded"),
        ("show mul24", "unspecified: a factor beyond 24 bits"),
        *((f"show {name}", LANES) for name in ("sin", "clz", "convert_int_sat")),
        ("list --chapter images", "read_srgb"),
    ],
)
def test_show_and_list_print_facts(clm, words, wanted):
    status, out, _ = clm(*words.split())
    assert (status, wanted in out) == (0, True)


def test_show_omits_missing_facts(clm):
    assert "formula" not in clm("show", "fma")[1]
    for name in ("FLT_DIG", "any", "normalize", "dot_4x8packed_uu_uint"):
        assert "component by component" not in clm("show", name)[1], name


@pytest.mark.slow
def test_devices_lists_working_devices_and_libraries(clm, opencl_device):
    status, out, err = clm("devices")
    assert (status, err) == (0, "")
    names = [line for line in out.splitlines() if line and not line.startswith(" ")]
    assert names[-5:] == ["numpy", "libm", "clmath", "library:PATH", "MODULE:CALLABLE"]
    assert opencl_device in names[:-4]
    assert "works: a kernel was built and run" in out.partition(f"{opencl_device}\n")[2].partition("\nopencl")[0]


def test_eval_shows_thirty_digits_all_roundings_and_the_ulp(clm):
    status, out, _ = clm("eval", "exp", "1", "--type", "double")
    assert status == 0
    with mpmath.workdps(60):
        digits = mpmath.nstr(mpmath.e, 30)
    lines = dict(line.split(maxsplit=1) for line in out.splitlines()[1:])
    assert lines["exact"] == digits
    assert lines["ulp"] == "2^-51"
    low, high = "0x1.5bf0a8b145769p+1 [0x4005bf0a8b145769]", "0x1.5bf0a8b14576ap+1 [0x4005bf0a8b14576a]"
    assert lines["rtn"].startswith(low)
    assert lines["rtz"].startswith(low)
    assert lines["rte"].startswith(low)
    assert lines["rtp"].startswith(high)


@for_each("x", [0.3, 77.5, -1e5])
@for_each("name", ["sin", "tanh", "cbrt"])
def test_digits_of_eval_equal_mpmaths(clm, name, x):
    if name == "cbrt":
        x = abs(x)
    _, out, _ = clm("eval", name, x, "--type", "double")
    shown = re.search(r"^exact +(\S+)", out, re.MULTILINE)[1]
    with mpmath.workdps(80):
        exact = getattr(mpmath, name)(mpmath.mpf(x))
        assert abs(mpmath.mpf(shown) - exact) <= abs(exact) * mpmath.mpf(10) ** -29


@for_each(
    "words, wanted",
    [
        (("pow", "2", "-inf"), "rte       0x0p+0 [0x00000000] = 0.0, exact"),
        (("sub", "1", "1", "--rounding", "rtn"), "rtn       -0x0p+0 [0x80000000] = -0.0, exact"),
        (("sin", "0x40490fdb", "--bits"), "rte       -0x1.777a5cp-24 [0xb3bbbd2e]"),
        (("exp", "1e5"), "rtz       0x1.fffffep+127 [0x7f7fffff] = 3.4028235e+38, -inf ulp"),
        (("exp", "709.5"), "rtz       0x1.fffffep+127 [0x7f7fffff] = 3.4028235e+38, -6.7e+276 ulp"),
        (("exp", "1e5"), "rte       inf [0x7f800000]"),
        (("exp", "-1e30"), "rtp       0x1p-149 [0x00000001] = 1e-45, +1.0000 ulp"),
        (("lgamma_r", "-0.5", "--type", "half"), "int       -1"),
        (("frexp", "10"), "int       4"),
        (("ldexp", "-0x1p-3", "-2"), "rte       -0x1p-5 [0xbd000000]"),
        (("nan", "5"), "rte       nan [0x7fc00005]"),
        (("nextafter", "1", "2", "--type", "half"), "exact     1.0009765625"),
        (("sqrt", "-inf"), "exact     nan"),
        (("dot", "1", "2", "3", "4", "5", "6"), "exact     32.0"),
        (("native_exp2", "0.5"), "exact     1.41421356237309504880168872421"),
        (("sin", "inf"), "rte       nan [0x7fc00000]"),
        (("exp", "0xffc00123", "--bits"), "rtn       nan [0x7fc00000]"),
        (("exp", "0xff800123", "--bits"), "rtn       nan [0x7fc00000]"),
        (("copysign", "0x7fc00123", "0x80000000", "--bits"), "rte       nan [0xffc00123]"),
        (("convert_uchar_sat_rte", "300.7"), "result    255"),
        (("convert_uchar", "300.7"), "the specification leaves it open"),
        (("convert_half", "0.1", "--rounding", "rtp"), "0x1.99cp-4 [0x2e67]"),
        (("FP_ILOGB0",), "-2147483648, or -2147483647"),
        (("clamp", "3", "5", "9", "--type", "int"), "result    5"),
        (
            ("fp_contract_on_mul_add", "0.1", "0.1", "-0.01", "--rounding", "rte"),
            "9.313226e-10, or 0x1.1eb852p-31",
        ),
        (("isequal", "1", "1", "--type", "double"), "result    1\nvectors   -1\n"),
        (("select", "5", "6", "1", "--type", "int"), "result    6\nvectors   5\n"),
        (
            ("hadd", "123", "-789"),
            "int; integer chapter, section 3.20.3\nx         123\ny         -789\nresult    -333\n",
        ),
        (("clz", "0x100000000"), "long; integer chapter, section 3.20.2\nx         4294967296\nresult    31"),
        (("max", "18446744073709551615", "1", "--type", "ulong"), "result    18446744073709551615"),
        (("mul24", "3000000000", "0"), "uint; "),
        (("convert_half", "-32768"), "rte       -0x1p+15 [0xf800] = -32768.0, exact"),
        (("convert_bfloat16", "0.3"), "rtp       0x1.34p-2 [0x3e9a] = 0.300781, +0.4000 ulp"),
        (("convert_bfloat16_rtz", "-3", "--type", "int"), "rtz       -0x1.8p+1 [0xc040] = -3.0, exact"),
        (("convert_float", "0.1", "--type", "bfloat16"), "rte       0x1.9ap-4 [0x3dcd0000] = 0.100097656, exact"),
        (("sprintf", "%.3f %d|%-4s|%c", "1.5", "-3", "ab", "65"), "result    '1.500 -3|ab  |A'"),
        (("sprintf", "%v4hld %5.1e", "1", "2", "3", "-4", "0.25"), "result    '1,2,3,-4 2.5e-01'"),
        (("log", "1e-60"), "gentype log(gentype x), double;"),
        (("sin", "1e39"), "gentype sin(gentype x), double;"),
        (("sin", "1e400"), "gentype sin(gentype x), float;"),  # beyond the range of every type
        (("ldexp", "0", "5"), "gentype ldexp(gentype x, intn k), float;"),
        (("exp", "-inf"), "gentype exp(gentype x), float;"),
        (("half_sin", "1e39"), "gentype half_sin(gentype x), float;"),
        (("sprintf", "%.0f", "2.5"), "rte       '2'\nrtz       '2'\nrtp       '3'\nrtn       '2'"),
        (("sprintf", "%.17g", "0.1", "--type", "double"), "rte       '0.10000000000000001'\nrtz       '0.1'"),
    ],
)
def test_eval_prints_values(clm, words, wanted):
    status, out, err = clm("eval", *words)
    assert (status, err) == (0, "")
    assert wanted in out


def test_eval_shows_every_component_and_result(clm):
    _, out, _ = clm("eval", "cross", "1", "2", "3", "4", "5", "6")
    assert re.findall(r"^exact +(\S+)", out, re.MULTILINE) == ["-3.0", "6.0", "-3.0"]
    _, out, _ = clm("eval", "sincos", "0")
    assert "result:" in out
    assert "cosval:" in out


BAD = {
    "eval sn 1": "clmath eval: 'sn' is not a known built-in; did you mean 'sin'?",
    "eval sin": "clmath eval: sin takes 1 value (x); 0 are given",
    "eval sin 1 2": "clmath eval: sin takes 1 value (x); 2 are given",
    "eval dot 1 2 3": "dot takes 2, 4, 6 or 8 values (p0, p1, 1 or 2 or 3 or 4 components each); 3 are given",
    "eval sin 0x1 --bits --type quad": "clmath eval: --type='quad' is not one of 'half', 'float', 'double'",
    "eval sin 0x123456789 --bits": "is not an encoding of float; write 32 bits",
    "eval ldexp 1 4294967296": "is not in -2147483648 .. 2147483647",
    "eval hadd 123 -789 --type char": "-789 is not in -128 .. 127, where the parameter lies; raise it, or write "
    "--type int",
    "eval popcount 256 --type uchar": "256 is not in 0 .. 255, where the parameter lies; reduce it",
    "eval vload_half4 1 2": "clmath eval: 'vload_half4' has no case of its own; the case of 'vload_half' has "
    "vectors of every width: write vload_half",
    "show convert_uchar4_sat_rte": "the case of 'convert_uchar_sat_rte' has vectors of every width: write convert_",
    "show as_int4": "clmath show: 'as_int4' has no case of its own; the case of 'as_int' has vectors of every width",
    "explain sin: 4.5 ulp error at 0x1p+1": "is no line of OpenCL-CTS that reports a wrong result; one is 'ERROR: ",
    "report none.json": "none.json cannot be read: No such file or directory; name a file that clmath audit --json has",
    "audit numpy --functions sin --flushes flat": "clmath audit: --flushes='flat' is not one of 'half', 'float'",
    "audit numpy --functions sin --no-infinities flat": "clmath audit: --no-infinities='flat' is not one of 'half'",
    "audit numpy --functions sin --mode flat=rtz": "clmath audit: --mode for type='flat' is not one of 'half', 'float'",
    "audit library:libm.so.6:sinx": "write NAMES with * for the name in C, as in library:libsleef.so:Sleef_*_u10",
    "eval add 0.5 1 --type int": "'0.5' is not an integer; write 3, -1 or 0x7f, or write --type float",
    "eval sin 0x3ff0000000000000 --bits": "and 8 hex digits, or write --type double",
    "eval sprintf": "clmath eval: sprintf needs a format; write clmath eval sprintf '%.3f' 1.5",
    "eval sprintf %d %d 1": "'%d' takes 1 value, the components of vectors one by one; 2 are given: give 1",
    "eval sin 1 --rounding nearest": "round to nearest even is 'rte'",
    f"eval sin {'1' * 5000}": "clmath eval: a value of 5000 characters",
    "show sn": "clmath show: 'sn' is not a known built-in; did you mean 'sin'?",
    "show printf": "clmath show: 'printf' is not a known built-in; did you mean 'sprintf'?",
    "show sprintf": "clmath show: 'sprintf' belongs to clmath, but is not a built-in with limits or prescribed bits; "
    "run: python -c \"help('clmath.sprintf')\"",
    "frobnicate": "clmath: 'frobnicate' is not a known command; 'clmath --help' shows the usage",
    "audti numpy": "clmath: 'audti' is not a known command; did you mean 'audit'? 'clmath --help' shows the usage",
    "audit --function sin": "clmath audit: unrecognized arguments: --function; did you mean '--functions'?",
    "audit numpy --functions sin --mode nearest": "clmath audit: --mode='nearest' is not one of 'rte', 'rtz', 'rtp'",
    "audit numpy --functions sni": "clmath audit: 'sni' is not a known built-in; did you mean 'sin'?",
    "audit numpy --functions convert_itn": "'convert_itn' is not a known built-in; did you mean 'convert_int'?",
    "audit numpy --functions zz*": "clmath audit: 'zz*' is not a known built-in",
    "audit numpy --functions sin --types quad": "clmath audit: --types='quad' is not one of 'half', 'float', 'double'",
    "audit libm --types bfloat16": "libm has no bfloat16; leave --types out or write --types float,double",
    "audit libm --functions mad": "clmath audit: libm does not define mad for float, double",
    "audit numpy --functions sin --profile strict": "clmath audit: --profile='strict' is not one of 'full'",
    "audit numpy --functions sin --oracle python": "clmath audit: --oracle='python' is not one of 'auto'",
    "audit numpy --functions sin --inputs many": "clmath audit: --inputs='many' is neither 'quick' nor a count",
    "audit numpy --functions sin --inputs 2^41": "--inputs='2^41' is neither 'quick' nor a count, 0 to 2^40, nor",
    "audit numpy --functions sin --inputs 1099511627777": "--inputs='1099511627777' is neither 'quick' nor a count",
    "audit numpy --functions sin --inputs total:0": "--inputs='total:0' is neither 'quick' nor a count, 0 to 2^40, nor",
    "audit numpy --functions sin --part 1/8": "clmath audit: part 1/8 is of all inputs, or of",
    "audit numpy --functions sin --inputs exhaustive --part 9/8": "clmath audit: part '9/8' is not K/N with",
    "audit numpy --functions exp --types double --inputs 262144 --part 2/5": "part 2/5: the inputs are cut into 4 "
    "chunks of 65536; ask for part 2/4",
    "audit numpy --functions sin --inputs -5": "clmath audit: --inputs='-5' is neither 'quick' nor a count",
    "audit numpy --functions sin --seed 18446744073709551616": "--seed 18446744073709551616 is not below",
    "audit numpy --functions sin --replay 1 --resume": "writes no report; leave --resume out",
    "audit numpy --functions sin --replay 1 --known-failures x": "writes no report; leave --known-failures out",
    "audit numpy --functions sin --timeout nan": "--timeout nan is not a time in seconds; write --timeout 60",
    "audit numpy --functions sin --timeout 1e9": "--timeout 1e9 is more than 10000000 seconds; write --timeout 60",
    "audit numpy --build-options -cl-mad-enable": "clmath audit: build options are for OpenCL devices; 'numpy'",
    "audit numpy --build-options": "clmath audit: argument --build-options: expected one argument",
    "audit nunpy": "clmath audit: 'nunpy' is not a known target; did you mean 'numpy'?",
    "audit math:no_such --functions sin": "clmath audit: 'math:no_such' cannot be loaded: AttributeError",
    "audit :f": "or MODULE:CALLABLE",
    "audit math:pi": "clmath audit: 'math:pi' cannot be loaded: AttributeError: float is not a function and has none "
    "with the name of a built-in; write MODULE:CALLABLE",
    "audit no.such:thing": "clmath audit: 'no.such:thing' cannot be loaded: ModuleNotFoundError",
    "audit numpy --replay 1": "clmath audit: --replay needs the built-in; add --functions NAME",
    "audit numpy --functions sin --replay 1,2": "clmath audit: sin takes 1 value (x); 2 are given",
    "audit numpy --functions sin --json /no/such/folder/x.json": "--json /no/such/folder/x.json cannot be written",
    "audit numpy --functions sin cos tan --inputs 9": "unrecognized arguments: cos tan; did you mean "
    "'--functions sin,cos,tan'?",
    "audit numpy --functions sin cos --types float double": "unrecognized arguments: cos double; did you mean "
    "'--functions sin,cos'?",
    "audit numpy --inputs 9 cos": "clmath audit: unrecognized arguments: cos; 'clmath audit --help' shows the usage",
    "audit --frob": "clmath audit: unrecognized arguments: --frob; 'clmath audit --help' shows the usage",
}


@for_each("line", BAD)
def test_invalid_input_is_one_line_and_status_2(refusal, line):
    err = refusal(*line.split(" "))
    assert BAD[line] in err
    assert err.startswith("clmath")


@pytest.mark.parametrize("form", FORMATS)
def test_values_written_in_full_are_rounded_once(form):
    tie = 1 + form.eps / 2  # the midpoint of 1 and its neighbour, exact in double except for form double
    if form is DOUBLE:
        digits = "1.00000000000000011102230246251565404236316680908203125"
    else:
        digits = f"{tie:.60f}"
    one = int(form.bits(1.0))
    assert values.parse(digits, "gentype", form) == one
    assert values.parse(digits + "0" * 40 + "1", "gentype", form) == one + 1
    assert values.parse("-" + digits, "gentype", form) == one + (1 << (form.width - 1))


HALVES = {
    "-0": 0x8000,
    "1e-30": 0,
    "-1e999999999999": 0xFC00,
    "0x.8p1": 0x3C00,
    "65519.999": 0x7BFF,
    "65520": 0x7C00,
    "2.98e-8": 0,
    "2.99e-8": 1,
    "INF": 0x7C00,
    "-infinity": 0xFC00,
    ".5": 0x3800,
    "5.": 0x4500,
}


@for_each("text", HALVES)
def test_values_of_half_are_parsed(text):
    assert values.parse(text, "gentype", HALF) == HALVES[text]


def test_plain_text_is_read_back():
    bits = np.random.default_rng(3).integers(0, 2**32, 300, np.uint64).tolist()
    for value in [*bits, 0, 1, 0x80000001, 0x7F800000, 0xFF800000, 0x7FC00000]:
        text = values.plain_text(value, "gentype", FLOAT)
        if values.is_plain([value], ["gentype"], FLOAT):
            assert values.parse(text, "gentype", FLOAT) == value
        else:
            assert text == "nan"


@for_each("form", KNOWN)
def test_decimals_are_read_back_as_the_number(form):
    """Halves and bfloat16 of all exponents, random floats and doubles; integers have all their digits."""
    rng = np.random.default_rng(5)
    generated = [rng.integers(0, 2**form.width, 400, np.uint64).tolist()]
    generated += [form.bits(2.0 ** rng.uniform(0, 53, 400) // 1).tolist()] if form.width > 16 else []
    for code in range(0, 65536, 64) if form.width == 16 else itertools.chain(*generated):
        decimal = values.number_text(code, "gentype", form).partition(" = ")[2]
        number = float(form.from_bits(code))
        assert (decimal == "") == (not np.isfinite(number))
        if decimal:
            assert values.parse(decimal, "gentype", form) == code
        if number.is_integer() and abs(number) < 1e16:
            assert Fraction(decimal) == Fraction(number)


def test_types_may_have_numpy_names(clm):
    assert clm("eval", "sin", "1", "--type", "float32") == clm("eval", "sin", "1", "--type", "float")
