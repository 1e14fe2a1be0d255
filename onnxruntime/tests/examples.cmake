# examples/onnxruntime: the programs, run with a real ONNX Runtime. Its headers cannot be fetched where the tests run, so
# the program in C is built with a header of ours that declares what it uses, and the one in C++ only where somebody has
# the real ones.
set(RESIDUE_ORT_HEADERS "" CACHE PATH "Folder with onnxruntime_cxx_api.h and its like, for the example in C++")
set(examples ${PROJECT_SOURCE_DIR}/examples/onnxruntime)

function(add_onnxruntime_example name source)
  add_executable(example_${name} ${source})
  target_include_directories(example_${name} SYSTEM PRIVATE
    $<IF:$<BOOL:${RESIDUE_ORT_HEADERS}>,${RESIDUE_ORT_HEADERS},${CMAKE_CURRENT_SOURCE_DIR}/headers>)
  target_link_libraries(example_${name} PRIVATE ${newest})
  add_dependencies(example_${name} residue_onnxruntime)
  if(RESIDUE_SANITIZE)  # the library's sanitizers need the part of their run time that is for C++
    target_link_libraries(example_${name} PRIVATE residue_flags)
    set_target_properties(example_${name} PROPERTIES LINKER_LANGUAGE CXX)
  endif()
  add_test(NAME example.${name} COMMAND ${CMAKE_COMMAND} -DPROGRAM=$<TARGET_FILE:example_${name}>
    "-DARGUMENTS=$<TARGET_FILE:residue_onnxruntime>;${examples}/models/image.onnx" -DEXPECTED=${examples}/image.expected
    -P ${PROJECT_SOURCE_DIR}/cmake/compare_output.cmake)
  # ONNX Runtime leaves a few bytes behind when it starts.
  set_tests_properties(example.${name} PROPERTIES
    ENVIRONMENT "ASAN_OPTIONS=detect_leaks=0;ORT_DISABLE_TELEMETRY=1")
endfunction()

if(NOT CMAKE_CROSSCOMPILING)  # qemu 7.2 cannot load the newest
  add_onnxruntime_example(onnxruntime_c ${examples}/image.c)
  if(RESIDUE_ORT_HEADERS)
    add_onnxruntime_example(onnxruntime_cpp ${examples}/image.cpp)
  else()
    add_test(NAME example.onnxruntime_cpp
      COMMAND sh -c "echo 'RESIDUE_ORT_HEADERS does not name the headers of ONNX Runtime'; exit 77")
    set_tests_properties(example.onnxruntime_cpp PROPERTIES SKIP_RETURN_CODE 77)
  endif()
endif()
