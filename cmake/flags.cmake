# Compiler flags of everything we build ourselves: the target residue_flags.
add_library(residue_flags INTERFACE)

target_compile_options(residue_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wcast-qual -Wundef
  # Exactness rests on each floating-point operation being the one that was written.
  -ffp-contract=off -fno-fast-math)
if(CMAKE_SIZEOF_VOID_P EQUAL 4 AND CMAKE_SYSTEM_PROCESSOR MATCHES "^(i[3-6]86|x86_64|AMD64|amd64)$")
  target_compile_options(residue_flags INTERFACE -msse2 -mfpmath=sse)  # x87 rounds twice
endif()
if(RESIDUE_WARNINGS_AS_ERRORS)
  target_compile_options(residue_flags INTERFACE -Werror)
endif()
# unsigned __int128 is used where 64 bits are not enough.
target_compile_options(residue_flags INTERFACE -Wno-pedantic)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # Vector arguments are passed between functions of one target only (psabi); GCC 12 sees overlapping copies
  # in std::string's operator+ that are not there (restrict).
  target_compile_options(residue_flags INTERFACE -Wno-psabi -Wno-restrict)
endif()

# For code that is compiled more often than it is run; the libraries in it are optimised as users build them.
add_library(residue_test_flags INTERFACE)
target_link_libraries(residue_test_flags INTERFACE residue_flags)
if(RESIDUE_SANITIZE)  # which doubles what there is to compile
  target_compile_options(residue_test_flags INTERFACE -O0)
else()
  target_compile_options(residue_test_flags INTERFACE $<$<CONFIG:Release>:-O1>)
endif()
# And for code that takes longer to compile than to run: not optimised at all.
add_library(residue_light_flags INTERFACE)
target_link_libraries(residue_light_flags INTERFACE residue_flags)
target_compile_options(residue_light_flags INTERFACE -O0)

if(RESIDUE_SANITIZE)
  target_compile_options(residue_flags INTERFACE
    -fsanitize=${RESIDUE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(residue_flags INTERFACE -fsanitize=${RESIDUE_SANITIZE})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    target_compile_options(residue_flags INTERFACE
      -fsanitize-ignorelist=${PROJECT_SOURCE_DIR}/cmake/sanitizer_ignore.txt)
  endif()
endif()

# Libraries say where all they need comes from; but Clang's sanitizers live in the program.
set(residue_complete_library -Wl,--no-undefined)
if(RESIDUE_SANITIZE AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  set(residue_complete_library "")
endif()

if(RESIDUE_COVERAGE)
  # Highway includes our rows again for every target. Clang takes what a system header includes for one too, and does not
  # count it, unless told otherwise; then Highway's warnings are ours to silence.
  set(coverage -fprofile-instr-generate -fcoverage-mapping -fcoverage-mcdc --no-system-header-prefix=hwy/ -w)
  target_compile_options(residue_flags INTERFACE ${coverage})
  target_link_options(residue_flags INTERFACE ${coverage})
endif()
