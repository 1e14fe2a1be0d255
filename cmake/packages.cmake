# Debian packages: cpack in a build made with -DRESIDUE_BUILD_PACKAGES=ON (scripts/make_packages.sh). One package per
# component of cmake/install.cmake.
set(packages libresidue2 libresidue-dev libdirectml1 libdirectml-dev residue python3-residue residue-onnxruntime)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "Residue developers <residue@packages.debian.org>")
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_COMPONENTS_ALL ${packages})
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR}/src)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "exact modulus at memory speed")
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
foreach(package LIBRESIDUE2 LIBDIRECTML1)
  set(CPACK_DEBIAN_${package}_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/cmake/debian/triggers)
endforeach()
set(CPACK_DEBIAN_PYTHON3-RESIDUE_PACKAGE_CONTROL_EXTRA
  ${PROJECT_SOURCE_DIR}/cmake/debian/python/postinst ${PROJECT_SOURCE_DIR}/cmake/debian/python/prerm)

# residue_describe(package section depends text)
macro(residue_describe package section depends text)
  string(TOUPPER ${package} upper)
  set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${package})
  set(CPACK_DEBIAN_${upper}_PACKAGE_SECTION ${section})
  set(CPACK_DEBIAN_${upper}_PACKAGE_DEPENDS "${depends}")
  set(CPACK_DEBIAN_${upper}_DESCRIPTION "${text}")
endmacro()
set(same "(= ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})")
residue_describe(libresidue2 libs ""
"FLOOR (Python's) and TRUNCATE (C's) modulus on strided memory, exact on every
bit, for AVX-512, AVX2, SSE4, NEON and SVE: the library.")
residue_describe(libresidue-dev libdevel "libresidue2 ${same}"
"Headers for C and C++20, CMake and pkg-config files of libresidue.")
residue_describe(libdirectml1 libs "libresidue2 ${same}"
"A drop-in libdirectml.so for DirectML's modulus operators, and the part of
Direct3D 12 that DirectML programs use, on plain memory.")
residue_describe(libdirectml-dev libdevel "libdirectml1 ${same}, libresidue-dev ${same}, directx-headers-dev"
"DirectML.h and what Windows code needs besides it on Linux; CMake and
pkg-config files of libdirectml.")
residue_describe(residue math "libdirectml1 ${same}"
"The command: evaluates remainders, checks every instruction set of a machine,
measures it, and runs DxDispatch models.")
residue_describe(python3-residue python
  "libresidue2 ${same}, python3 (<< 3.12), python3 (>= 3.11~), python3-numpy, python3-numpy-abi9"
"The NumPy ufuncs mod_floor and mod_trunc: bit for bit numpy.remainder and
numpy.fmod, and many times as fast.")
residue_describe(residue-onnxruntime libs "libresidue2 ${same}"
"A custom-operator library for ONNX Runtime: ModulusFloor, ModulusTruncate
and, on request, the standard Mod.")

# What Debian wants of every package.
set(changelog ${PROJECT_BINARY_DIR}/changelog.Debian.gz)
configure_file(cmake/debian/changelog.in ${PROJECT_BINARY_DIR}/changelog.Debian @ONLY)
execute_process(COMMAND gzip -9nc ${PROJECT_BINARY_DIR}/changelog.Debian OUTPUT_FILE ${changelog} COMMAND_ERROR_IS_FATAL ANY)
file(READ LICENSE license)
string(REGEX REPLACE "\n\n" "\n.\n" license "${license}")
string(REGEX REPLACE "\n" "\n " license "${license}")
configure_file(cmake/debian/copyright.in ${PROJECT_BINARY_DIR}/copyright @ONLY)
foreach(package ${packages})
  install(FILES ${PROJECT_BINARY_DIR}/copyright ${changelog} DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/${package}
    COMPONENT ${package})
endforeach()

include(CPack)
