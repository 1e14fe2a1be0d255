# Runs PROGRAM with ARGUMENTS (through LAUNCHER, if set) and fails unless it succeeds and prints exactly the file
# EXPECTED.
execute_process(COMMAND ${LAUNCHER} ${PROGRAM} ${ARGUMENTS} OUTPUT_VARIABLE printed RESULT_VARIABLE code)
file(READ ${EXPECTED} expected)
if(NOT code EQUAL 0 OR NOT printed STREQUAL expected)
  message(FATAL_ERROR "${PROGRAM} ended with ${code} and printed\n${printed}\nbut this was expected:\n${expected}")
endif()
