"""Builds the wheel and the source distribution: PEP 517, with CMake and the standard library only.

    pip wheel --no-deps --no-build-isolation .

CMake compiles; `cmake --install` lays out the package, with the shared libraries it needs beside the extension module:
one libresidue, for ONNX Runtime's library too. This file zips it. Settings (`pip wheel --config-settings name=value`):

    build-dir     where CMake builds; kept, so that the next wheel is quick (default: build/wheel)
    built         instead, a folder where CMake has built this tree before: the wheel is made of its objects, and the
                  extension module is all that is compiled; the folder's other options stay
    cmake-args    more arguments for CMake, as in a shell
"""
import base64
import gzip
import hashlib
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import time
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
# The earliest time a zip file can hold, unless somebody asks for another: the same sources give the same wheel.
EPOCH = max(int(os.environ.get("SOURCE_DATE_EPOCH", 0)), 315532800)


# The license of the bundled libraries, where Debian keeps it.
APACHE_LICENSE = pathlib.Path("/usr/share/common-licenses/Apache-2.0")


def _version():
    text = (ROOT / "include" / "residue" / "residue.h").read_text(encoding="utf-8")
    return re.search(r'#define RESIDUE_VERSION_STRING "([^"]+)"', text)[1]


def _project():
    try:
        import tomllib
    except ImportError:  # before Python 3.11
        import tomli as tomllib
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def _dependencies():
    """NumPy's interface is compatible with newer versions, but 2 refuses modules that were compiled for 1."""
    import numpy
    major, minor = numpy.__version__.split(".")[:2]
    return [f"numpy>=1.{minor},<2" if major == "1" else "numpy>=1.23"]


def _metadata():
    project = _project()
    lines = [
        "Metadata-Version: 2.2",
        f"Name: {project['name']}",
        f"Version: {_version()}",
        f"Summary: {project['description']}",
        f"Author: {project['authors'][0]['name']}",
        f"License: {project['license']['text']}",
        f"Keywords: {','.join(project['keywords'])}",
        *(f"Classifier: {classifier}" for classifier in project["classifiers"]),
        f"Requires-Python: {project['requires-python']}",
        *(f"Requires-Dist: {requirement}" for requirement in _dependencies()),
        "Description-Content-Type: text/markdown",
    ]
    return "\n".join(lines) + "\n\n" + (ROOT / project["readme"]).read_text(encoding="utf-8")


def _tag():
    """Pythons with the GIL share one module: that of the oldest. One without has a module of its own."""
    platform = re.sub(r"[-.]", "_", sysconfig.get_platform())
    if sysconfig.get_config_var("Py_GIL_DISABLED"):
        python = f"cp{sys.version_info.major}{sys.version_info.minor}"
        return f"{python}-{python}{sys.abiflags}-{platform}"
    oldest = re.search(r">=3\.(\d+)", _project()["requires-python"])[1]
    return f"cp3{oldest}-abi3-{platform}"


def _words(setting):
    """A setting that was given once or several times, as the words of a command."""
    return [word for text in ([setting] if isinstance(setting, str) else setting) for word in shlex.split(text)]


def _run(*command):
    command = list(map(str, command))
    print(shlex.join(command), flush=True)
    subprocess.run(command, check=True)


def _keep_one_name(package):
    """A wheel has no links: a library keeps the name that it is looked up by."""
    for link in [path for path in package.glob("lib*.so*") if path.is_symlink()]:
        target = link.resolve()
        link.unlink()
        target.rename(link)


def _rename_libraries(package):
    """Gives the libraries names of their own: another package may have loaded another version by the common name, and a
    process has one library of each name."""
    if shutil.which("patchelf") is None:
        print("patchelf is not installed: the libraries in the wheel keep their names", flush=True)
        return
    renamed = {path.name: path.name.replace(".so", "-python.so", 1) for path in package.glob("lib*.so.*")}
    for path in package.glob("*.so*"):
        words = [word for old, new in renamed.items() for word in ("--replace-needed", old, new)]
        _run("patchelf", *words, path)
        if path.name in renamed:
            _run("patchelf", "--set-soname", renamed[path.name], path)
            path.rename(path.with_name(renamed[path.name]))


def _build(settings, stage):
    """Compiles, and installs the package into `stage`."""
    options = {"RESIDUE_BUILD_PYTHON": "ON", "RESIDUE_PYTHON_BUNDLE": "ON", "Python_EXECUTABLE": sys.executable}
    generator = []
    if "built" in settings:
        build = ROOT / settings["built"]
        if not (build / "CMakeCache.txt").exists():
            raise FileNotFoundError(f"built={build}: CMake has not built anything there")
    else:
        build = ROOT / settings.get("build-dir", "build/wheel")
        generator = ["-G", "Ninja"] if shutil.which("ninja") else []
        options |= {"RESIDUE_BUILD_TESTS": "OFF", "RESIDUE_BUILD_EXAMPLES": "OFF",
                    "RESIDUE_BUILD_DIRECTML": "OFF", "RESIDUE_BUILD_COMMAND": "OFF", "CMAKE_BUILD_TYPE": "Release"}
    _run("cmake", "-S", ROOT, "-B", build, *generator, *(f"-D{name}={value}" for name, value in options.items()),
         *_words(settings.get("cmake-args", [])))
    _run("cmake", "--build", build, "--target", "residue_python", "residue_onnxruntime", "--parallel", os.cpu_count() or 1)
    _run("cmake", "--install", build, "--component", "python3-residue", "--prefix", stage, "--strip")
    _keep_one_name(stage / "residue")
    _rename_libraries(stage / "residue")


def _zip(stage, wheel):
    """Everything in `stage`, and the record of it that a wheel needs."""
    record_name = f"{_project()['name']}-{_version()}.dist-info/RECORD"
    record = []
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        def add(name, content, executable=False):
            information = zipfile.ZipInfo(name, time.gmtime(EPOCH)[:6])
            information.compress_type = zipfile.ZIP_DEFLATED
            information.external_attr = (0o100755 if executable else 0o100644) << 16
            archive.writestr(information, content)

        for path in sorted(path for path in stage.rglob("*") if path.is_file()):
            name, content = path.relative_to(stage).as_posix(), path.read_bytes()
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            record.append(f"{name},sha256={digest},{len(content)}")
            add(name, content, ".so" in path.name)
        add(record_name, "\n".join([*record, f"{record_name},,", ""]))


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    """What pip asks for before it builds, and all that a distribution's package needs."""
    folder = pathlib.Path(metadata_directory) / f"{_project()['name']}-{_version()}.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text(_metadata(), encoding="utf-8")
    return folder.name


def _write_information(stage):
    folder = stage / prepare_metadata_for_build_wheel(stage)
    (folder / "WHEEL").write_text(f"Wheel-Version: 1.0\nGenerator: residue build_backend\nRoot-Is-Purelib: false\nTag: {_tag()}\n")
    shutil.copy(ROOT / "LICENSE", folder)
    shutil.copy(ROOT / "python" / "BUNDLED.txt", folder)
    if APACHE_LICENSE.exists():
        shutil.copy(APACHE_LICENSE, folder / "LICENSE.Apache-2.0")


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    name = f"{_project()['name']}-{_version()}"
    with tempfile.TemporaryDirectory() as folder:
        stage = pathlib.Path(folder)
        _build(config_settings or {}, stage)
        _write_information(stage)
        wheel = f"{name}-{_tag()}.whl"
        _zip(stage, pathlib.Path(wheel_directory) / wheel)
    return wheel


def _anonymous(member):
    """Without who made the archive, and when: the same sources give the same archive."""
    member.mtime = EPOCH
    member.uid = member.gid = 0
    member.uname = member.gname = ""
    member.mode = 0o755 if member.mode & 0o100 else 0o644
    return member


def build_sdist(sdist_directory, config_settings=None):
    """The files git knows, which is all that a build needs."""
    name = f"{_project()['name']}-{_version()}"
    tracked = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    with tempfile.TemporaryDirectory() as folder, \
            open(pathlib.Path(sdist_directory) / f"{name}.tar.gz", "wb") as file, \
            gzip.GzipFile("", "wb", fileobj=file, mtime=EPOCH) as compressed, \
            tarfile.open(fileobj=compressed, mode="w", format=tarfile.PAX_FORMAT) as archive:
        information = pathlib.Path(folder) / "PKG-INFO"
        information.write_text(_metadata(), encoding="utf-8")
        archive.add(information, f"{name}/PKG-INFO", filter=_anonymous)
        for path in filter(None, tracked.split("\0")):
            archive.add(ROOT / path, f"{name}/{path}", recursive=False, filter=_anonymous)
    return f"{name}.tar.gz"
