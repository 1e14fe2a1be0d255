# Where our libraries and programs look for each other once they are installed.
option(RESIDUE_RELOCATABLE "Find libraries from where the file that needs them lies, below any prefix" ON)
set(RESIDUE_DIRECTML_LIBDIR ${CMAKE_INSTALL_LIBDIR} CACHE STRING
  "Folder for libdirectml and libresidue_d3d12, below the prefix: their names have no version")

# residue_find_libraries(target from folders...): `target` lies in `from` and needs libraries of `folders`, all below the
# prefix. A distribution's loader looks into CMAKE_INSTALL_LIBDIR by itself.
function(residue_find_libraries target from)
  set(paths)
  foreach(folder ${ARGN})
    file(RELATIVE_PATH relative /p/${from} /p/${folder})
    if(RESIDUE_RELOCATABLE)
      string(REGEX REPLACE "/$" "" path "$ORIGIN/${relative}")
      list(APPEND paths ${path})
    elseif(NOT folder STREQUAL CMAKE_INSTALL_LIBDIR)
      list(APPEND paths ${CMAKE_INSTALL_PREFIX}/${folder})
    endif()
  endforeach()
  list(REMOVE_DUPLICATES paths)
  set_target_properties(${target} PROPERTIES INSTALL_RPATH "${paths}")
endfunction()
