# cmake --install: library, headers, find_package(residue CONFIG) with residue::residue, and residue.pc.
include(CMakePackageConfigHelpers)

set(package_directory ${CMAKE_INSTALL_LIBDIR}/cmake/residue)

install(TARGETS residue EXPORT residueTargets)
if(RESIDUE_BUILD_DIRECTML)
  install(TARGETS directml residue_d3d12 EXPORT residueTargets)
  install(FILES ${PROJECT_SOURCE_DIR}/include/DirectML.h ${PROJECT_SOURCE_DIR}/include/directml.h
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/compat/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/residue/compat)
endif()
if(RESIDUE_BUILD_ONNXRUNTIME)
  install(TARGETS residue_onnxruntime LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()
if(RESIDUE_BUILD_COMMAND)
  install(TARGETS residue_tool)
  set(documents ${PROJECT_BINARY_DIR}/documents)
  install(FILES ${documents}/residue.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES ${documents}/residue.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME residue)
  install(FILES ${documents}/_residue DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
endif()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/residue DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT residueTargets NAMESPACE residue:: DESTINATION ${package_directory})

configure_package_config_file(cmake/residueConfig.cmake.in residueConfig.cmake
  INSTALL_DESTINATION ${package_directory})
write_basic_package_version_file(residueConfigVersion.cmake COMPATIBILITY SameMinorVersion)
# The .pc file finds its prefix from where it lies. A shared libresidue keeps its dependencies to itself; a static
# one needs them, and the C++ runtime for users who link with a C compiler.
file(RELATIVE_PATH residue_prefix_from_pc /p/${CMAKE_INSTALL_LIBDIR}/pkgconfig /p)
if(NOT BUILD_SHARED_LIBS)
  set(residue_pc_dependencies "Requires: libhwy tbb\n")
  set(residue_pc_libraries " -lstdc++")
endif()
configure_file(cmake/residue.pc.in residue.pc @ONLY)
if(RESIDUE_BUILD_DIRECTML)
  configure_file(cmake/directml.pc.in directml.pc @ONLY)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/directml.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endif()
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/residueConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/residueConfigVersion.cmake
  DESTINATION ${package_directory})
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/residue.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/CHANGELOG.md
  DESTINATION ${CMAKE_INSTALL_DOCDIR})
