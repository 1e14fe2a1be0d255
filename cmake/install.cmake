# cmake --install: libraries, headers, find_package(residue CONFIG), pkg-config files, the command. Each file belongs to one
# component; debian/*.install says which package it goes into.
include(CMakePackageConfigHelpers)

set(package_directory ${CMAKE_INSTALL_LIBDIR}/cmake/residue)

install(TARGETS residue EXPORT residueTargets
  LIBRARY COMPONENT libresidue2 NAMELINK_COMPONENT libresidue-dev
  ARCHIVE COMPONENT libresidue-dev)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/residue DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT libresidue-dev)
install(EXPORT residueTargets NAMESPACE residue:: DESTINATION ${package_directory} COMPONENT libresidue-dev)

if(RESIDUE_BUILD_DIRECTML)
  # Found only where residue-directml-dev is: residueConfig.cmake looks for the file.
  install(TARGETS directml residue_d3d12 EXPORT directmlTargets
    LIBRARY DESTINATION ${RESIDUE_DIRECTML_LIBDIR} COMPONENT residue-directml)
  install(DIRECTORY ${PROJECT_BINARY_DIR}/src/residue-wsl DESTINATION ${RESIDUE_DIRECTML_LIBDIR}
    COMPONENT residue-wsl)
  install(EXPORT directmlTargets NAMESPACE residue:: DESTINATION ${package_directory} COMPONENT residue-directml-dev)
  install(FILES ${PROJECT_SOURCE_DIR}/include/DirectML.h ${PROJECT_SOURCE_DIR}/include/directml.h
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT residue-directml-dev)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/compat/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/residue/compat
    COMPONENT residue-directml-dev)
endif()

if(RESIDUE_BUILD_ONNXRUNTIME)
  # A folder of its own: nobody links with it, ONNX Runtime opens it by its path.
  install(TARGETS residue_onnxruntime LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/residue COMPONENT residue-onnxruntime)
endif()

if(RESIDUE_BUILD_COMMAND)
  install(TARGETS residue_tool COMPONENT residue)
  set(documents ${PROJECT_BINARY_DIR}/documents)
  install(FILES ${documents}/residue.1.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT residue)
  install(FILES ${documents}/residue.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
    RENAME residue COMPONENT residue)
  install(FILES ${documents}/_residue DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions COMPONENT residue)
endif()

configure_package_config_file(cmake/residueConfig.cmake.in residueConfig.cmake
  INSTALL_DESTINATION ${package_directory})
write_basic_package_version_file(residueConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/residueConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/residueConfigVersion.cmake
  DESTINATION ${package_directory} COMPONENT libresidue-dev)

# The .pc file finds its prefix from where it lies. A shared libresidue keeps its dependencies to itself; a static
# one needs them, and the C++ runtime for users who link with a C compiler.
file(RELATIVE_PATH residue_prefix_from_pc /p/${CMAKE_INSTALL_LIBDIR}/pkgconfig /p)
if(NOT BUILD_SHARED_LIBS)
  set(residue_pc_dependencies "Requires: libhwy\n")
  if(RESIDUE_THREADS)
    set(residue_pc_dependencies "Requires: libhwy tbb\n")
  endif()
  set(residue_pc_libraries " -lstdc++")
endif()
configure_file(cmake/residue.pc.in residue.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/residue.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
  COMPONENT libresidue-dev)
if(RESIDUE_BUILD_DIRECTML)
  if(NOT RESIDUE_DIRECTML_LIBDIR STREQUAL CMAKE_INSTALL_LIBDIR)  # where no loader looks by itself
    set(directml_pc_run_path " -Wl,-rpath,\${libdir}")
    if(NOT RESIDUE_RELOCATABLE)  # a path from the .pc file would be found only where that is
      set(directml_pc_run_path " -Wl,-rpath,${CMAKE_INSTALL_PREFIX}/${RESIDUE_DIRECTML_LIBDIR}")
    endif()
  endif()
  configure_file(cmake/directml.pc.in directml.pc @ONLY)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/directml.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
    COMPONENT residue-directml-dev)
endif()
install(FILES ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/CHANGELOG.md ${PROJECT_SOURCE_DIR}/LICENSE
  DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT libresidue-dev)
