# Installs BUILD into a scratch prefix, then builds and runs the consumer against it: through find_package and
# through pkg-config.
set(prefix ${SCRATCH}/prefix)
file(REMOVE_RECURSE ${SCRATCH})
set(ENV{LD_LIBRARY_PATH} ${prefix}/${LIBDIR})
set(ENV{PKG_CONFIG_PATH} ${prefix}/${LIBDIR}/pkgconfig)
function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix})
run(${CMAKE_COMMAND} -S ${SOURCE} -B ${SCRATCH}/build -G Ninja -DCMAKE_PREFIX_PATH=${prefix} -DCMAKE_CXX_COMPILER=${CXX}
  "-DCMAKE_CXX_FLAGS=${FLAGS}" "-DDIRECTML=${DIRECTML}")
run(${CMAKE_COMMAND} --build ${SCRATCH}/build)
run(${SCRATCH}/build/consumer)
execute_process(COMMAND pkg-config --cflags --libs residue
  OUTPUT_VARIABLE pkg_flags OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
separate_arguments(pkg_flags UNIX_COMMAND "${pkg_flags}")
separate_arguments(FLAGS UNIX_COMMAND "${FLAGS}")
run(${CXX} -std=c++20 ${FLAGS} ${SOURCE}/main.cpp ${pkg_flags} -o ${SCRATCH}/with_pkg_config)
run(${SCRATCH}/with_pkg_config)
if(DIRECTML)
  run(${SCRATCH}/build/directml_consumer)
  execute_process(COMMAND pkg-config --cflags --libs directml
    OUTPUT_VARIABLE pkg_flags OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  separate_arguments(pkg_flags UNIX_COMMAND "${pkg_flags}")
  run(${CXX} -std=c++17 ${FLAGS} ${SOURCE}/directml.cpp ${pkg_flags} -o ${SCRATCH}/directml_with_pkg_config)
  run(${SCRATCH}/directml_with_pkg_config)
endif()
# The installed command starts without any help.
if(EXISTS ${prefix}/bin/residue)
  unset(ENV{LD_LIBRARY_PATH})
  run(${prefix}/bin/residue eval floor -7 3)
endif()
