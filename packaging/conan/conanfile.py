"""A Conan 2 recipe: libresidue for C and C++, from the clone it lies in."""
import os
import re

from conan import ConanFile
from conan.errors import ConanInvalidConfiguration
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load


class Residue(ConanFile):
    name = "residue"
    description = "Element-wise maths with the same bits on every machine"
    license = "MIT"
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False], "fPIC": [True, False]}
    default_options = {"shared": True, "fPIC": True}

    def set_version(self):
        text = load(self, os.path.join(self.recipe_folder, "..", "..", "CMakeLists.txt"))
        self.version = re.search(r"project\(residue VERSION ([0-9.]+)", text)[1]

    def export_sources(self):
        root = os.path.join(self.recipe_folder, "..", "..")
        for pattern in ("CMakeLists.txt", "LICENSE", "README.md", "CHANGELOG.md", "cmake/*", "include/*", "src/*"):
            copy(self, pattern, root, self.export_sources_folder)

    def validate(self):
        if self.settings.os != "Linux":
            raise ConanInvalidConfiguration("residue is for Linux")

    def requirements(self):
        self.requires("highway/[>=1.0.3]")
        self.requires("onetbb/[>=2021.8]")

    def layout(self):
        cmake_layout(self)

    def generate(self):
        CMakeDeps(self).generate()
        toolchain = CMakeToolchain(self)
        for part in ("TESTS", "EXAMPLES", "DIRECTML", "ONNXRUNTIME"):
            toolchain.cache_variables[f"RESIDUE_BUILD_{part}"] = False
        toolchain.cache_variables["RESIDUE_CCACHE"] = False
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))

    def package_info(self):
        self.cpp_info.libs = ["residue"]
        self.cpp_info.set_property("cmake_target_name", "residue::residue")
        self.cpp_info.set_property("pkg_config_name", "residue")
