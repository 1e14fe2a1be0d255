# RapidJSON, for what reads JSON: the command and some tests. The libraries do without.
include_guard(GLOBAL)
find_path(RAPIDJSON_INCLUDE_DIR rapidjson/document.h REQUIRED)
add_library(rapidjson INTERFACE)
target_include_directories(rapidjson SYSTEM INTERFACE ${RAPIDJSON_INCLUDE_DIR})
if(RESIDUE_COVERAGE)
  # A template of release 1.1.0 cannot be compiled. Nobody uses it, but the Clang that measures coverage looks into templates
  # where they are defined, unless told otherwise.
  target_compile_options(rapidjson INTERFACE -fdelayed-template-parsing)
endif()
