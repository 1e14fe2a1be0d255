# Where DxDispatch's packages come from. It asks FetchContent to download them; this file answers each request with what
# Debian and Residue have. CMake reads it through CMAKE_PROJECT_TOP_LEVEL_INCLUDES (3.24 or newer).
#
# The caller sets DIRECTML_DIR (include/, bin/x64-linux/), DIRECTMLX_DIR and COMPAT_DIR.
set(dxdispatch_headers ${CMAKE_CURRENT_LIST_DIR}/include)

# These two are asked for in a way that only these settings answer. DxDispatch adds "include" to the path.
set(FETCHCONTENT_SOURCE_DIR_RAPIDJSON /usr CACHE PATH "rapidjson-dev")
set(FETCHCONTENT_SOURCE_DIR_FLATBUFFER /usr CACHE PATH "libflatbuffers-dev")

# DxDispatch names targets as the packages' own builds do; Debian's packages name some of them otherwise.
macro(provide_package method name)
  set(directory /usr)
  if("${name}" STREQUAL "GSL")
    find_package(Microsoft.GSL REQUIRED)
  elseif("${name}" STREQUAL "fmt")
    find_package(fmt REQUIRED)
  elseif("${name}" STREQUAL "cxxopts")
    find_package(cxxopts REQUIRED)
    add_library(cxxopts INTERFACE)
    target_link_libraries(cxxopts INTERFACE cxxopts::cxxopts)
  elseif("${name}" STREQUAL "googletest")
    # Its tests are not built.
  elseif("${name}" STREQUAL "dxheaders")
    add_library(Microsoft::DirectX-Headers INTERFACE IMPORTED)
    target_include_directories(Microsoft::DirectX-Headers INTERFACE
      ${dxdispatch_headers} ${COMPAT_DIR} /usr/include/wsl/stubs)
    add_library(Microsoft::DirectX-Guids INTERFACE IMPORTED)
    target_link_libraries(Microsoft::DirectX-Guids INTERFACE DirectX-Guids)
  elseif("${name}" STREQUAL "directmlx")
    set(directory ${DIRECTMLX_DIR})
  elseif("${name}" STREQUAL "directml_content")
    set(directory ${DIRECTML_DIR})
  else()
    message(FATAL_ERROR "packages.cmake has no answer for the package '${name}'")
  endif()
  FetchContent_SetPopulated(${name} SOURCE_DIR ${directory})
endmacro()

cmake_language(SET_DEPENDENCY_PROVIDER provide_package SUPPORTED_METHODS FETCHCONTENT_MAKEAVAILABLE_SERIAL)
