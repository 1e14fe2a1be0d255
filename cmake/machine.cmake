# Another processor, by Debian's cross compiler and its packages for that architecture (dpkg --add-architecture ARCHITECTURE).
# RESIDUE_MACHINE is what qemu calls it. Tests run under qemu-user.
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES RESIDUE_MACHINE)  # so that CMake's first small programs have it too
set(compiler ${RESIDUE_MACHINE}-linux-gnu)
if(RESIDUE_MACHINE STREQUAL "ppc64le")
  set(compiler powerpc64le-linux-gnu)
endif()
set(libraries ${compiler})
if(RESIDUE_MACHINE STREQUAL "i386")
  set(compiler i686-linux-gnu)
endif()
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR ${RESIDUE_MACHINE})
set(CMAKE_C_COMPILER ${compiler}-gcc)
set(CMAKE_CXX_COMPILER ${compiler}-g++)
set(CMAKE_LIBRARY_ARCHITECTURE ${libraries})
set(CMAKE_PREFIX_PATH /usr/lib/${libraries})
set(CMAKE_IGNORE_PREFIX_PATH /usr/lib/x86_64-linux-gnu)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-${RESIDUE_MACHINE})
