# cmake --install: library, headers, find_package(residue CONFIG) with residue::residue, and residue.pc.
include(CMakePackageConfigHelpers)

set(package_directory ${CMAKE_INSTALL_LIBDIR}/cmake/residue)

install(TARGETS residue EXPORT residueTargets)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/residue DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT residueTargets NAMESPACE residue:: DESTINATION ${package_directory})

configure_package_config_file(cmake/residueConfig.cmake.in residueConfig.cmake
  INSTALL_DESTINATION ${package_directory})
write_basic_package_version_file(residueConfigVersion.cmake COMPATIBILITY SameMinorVersion)
configure_file(cmake/residue.pc.in residue.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/residueConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/residueConfigVersion.cmake
  DESTINATION ${package_directory})
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/residue.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/CHANGELOG.md
  DESTINATION ${CMAKE_INSTALL_DOCDIR})
