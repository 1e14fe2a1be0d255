# Configures the project beside this file with FetchContent on SOURCE. At night it is also built and run.
function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()
file(REMOVE_RECURSE ${SCRATCH})
run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR} -B ${SCRATCH} -G Ninja -DRESIDUE_SOURCE=${SOURCE}
  -DCMAKE_CXX_COMPILER=${CXX})
if("$ENV{RESIDUE_TIER}" STREQUAL "nightly")
  run(${CMAKE_COMMAND} --build ${SCRATCH} --target embedded)
  run(${SCRATCH}/embedded)
endif()
