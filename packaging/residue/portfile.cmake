# A vcpkg port, used as an overlay: it builds the clone it lies in.
get_filename_component(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/../.." ABSOLUTE)

vcpkg_cmake_configure(
  SOURCE_PATH "${SOURCE_PATH}"
  OPTIONS
    -DRESIDUE_BUILD_TESTS=OFF
    -DRESIDUE_BUILD_EXAMPLES=OFF
    -DRESIDUE_BUILD_DIRECTML=OFF
    -DRESIDUE_BUILD_ONNXRUNTIME=OFF
    -DRESIDUE_CCACHE=OFF
)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/residue)
vcpkg_fixup_pkgconfig()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
