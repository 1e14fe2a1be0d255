# libresidue_d3d12, the Direct3D 12 subset on the CPU, and libdirectml, the DirectML API on it. Both are drop-in
# shared libraries, however libresidue is built, and need Debian's directx-headers-dev.
add_library(directx_headers INTERFACE)
target_include_directories(directx_headers SYSTEM INTERFACE ${DIRECTX_ROOT} ${DIRECTX_ROOT}/wsl/stubs
  ${DIRECTX_ROOT}/directx)
target_include_directories(directx_headers INTERFACE ${CMAKE_CURRENT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/include
  ${PROJECT_SOURCE_DIR}/compat)

find_package(Threads REQUIRED)

add_library(com_objects OBJECT com/private_data.cc)
target_link_libraries(com_objects PUBLIC directx_headers PRIVATE residue_flags)

add_library(cpu_backend_objects OBJECT
  cpu/backend/cpu_backend.cc
  cpu/backend/cpu_memory.cc
  cpu/backend/cpu_program.cc
  cpu/backend/cpu_stream.cc
)
target_link_libraries(cpu_backend_objects PUBLIC directx_headers PRIVATE residue_flags)

add_library(d3d12_objects OBJECT
  d3d12/command_list.cc
  d3d12/command_queue.cc
  d3d12/commands.cc
  d3d12/debug.cc
  d3d12/descriptor_heap.cc
  d3d12/device.cc
  d3d12/dxcore.cc
  d3d12/dxgi.cc
  d3d12/exports.cc
  d3d12/feature_support.cc
  d3d12/fence.cc
  d3d12/fork.cc
  d3d12/heap.cc
  d3d12/info_queue.cc
  d3d12/list_watch.cc
  d3d12/newer_device.cc
  d3d12/query_heap.cc
  d3d12/resource.cc
  d3d12/usage_check.cc
  d3d12/watch.cc
  d3d12/win32.cc
)
target_link_libraries(d3d12_objects PUBLIC directx_headers Threads::Threads PRIVATE residue_flags)

# What DirectML says about operators and tensors; the command reads it too.
add_library(directml_schema_objects OBJECT
  directml/graph.cc
  directml/graph_builder.cc
  directml/graph_edges.cc
  directml/lower.cc
  directml/operator_desc.cc
  directml/operator_schema.cc
  directml/refusal.cc
  directml/tensor_desc.cc
)
target_link_libraries(directml_schema_objects PUBLIC directx_headers PRIVATE residue_flags)

add_library(directml_objects OBJECT
  directml/binding_table.cc
  directml/bindings.cc
  directml/command_recorder.cc
  directml/compiled_operator.cc
  directml/create_device.cc
  directml/device.cc
  directml/device_state.cc
  directml/dispatch.cc
  directml/dispatchable.cc
  directml/exports.cc
  directml/feature_support.cc
  directml/graph_nodes.cc
  directml/operator_initializer.cc
)
target_link_libraries(directml_objects PUBLIC directml_schema_objects PRIVATE residue_flags)

# residue_add_drop_in(name export_list objects...): a shared library that shows nothing but the listed functions.
function(residue_add_drop_in name export_list)
  add_library(${name} SHARED)
  add_library(residue::${name} ALIAS ${name})
  foreach(objects ${ARGN})
    target_sources(${name} PRIVATE $<TARGET_OBJECTS:${objects}>)
  endforeach()
  target_include_directories(${name} INTERFACE
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/compat>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/residue/compat>)
  target_link_libraries(${name} PRIVATE Threads::Threads $<BUILD_INTERFACE:residue_flags>)
  target_link_options(${name} PRIVATE -Wl,--version-script=${CMAKE_CURRENT_SOURCE_DIR}/${export_list} ${residue_complete_library}
    # Objects of one library live in containers of the other, and queues have threads: neither may be unloaded.
    -Wl,-z,nodelete)
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX
    LINK_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${export_list})
endfunction()

# A device brings its backend, which computes through libresidue's public interface.
residue_add_drop_in(residue_d3d12 d3d12/d3d12.map com_objects d3d12_objects cpu_backend_objects)
target_link_libraries(residue_d3d12 PRIVATE residue)
residue_find_libraries(residue_d3d12 ${RESIDUE_DIRECTML_LIBDIR} ${CMAKE_INSTALL_LIBDIR})
# The names under which programs for WSL open them, in a folder that only those who want it name: others may have
# Microsoft's.
set(RESIDUE_WSL_NAMES ${CMAKE_CURRENT_BINARY_DIR}/residue-wsl)
file(MAKE_DIRECTORY ${RESIDUE_WSL_NAMES})
foreach(name libd3d12 libdxcore)
  file(CREATE_LINK ../libresidue_d3d12.so ${RESIDUE_WSL_NAMES}/${name}.so SYMBOLIC)
endforeach()
file(CREATE_LINK ../libdirectml.so ${RESIDUE_WSL_NAMES}/libdirectml.so SYMBOLIC)
# libdirectml leaves computing to the device. Of libresidue it has only the little that checks layouts; compiled once more,
# because nobody sees it there.
add_library(layout_objects OBJECT core/status.cc layout/blame.cc layout/coverage.cc layout/layout.cc layout/overlap.cc)
target_link_libraries(layout_objects PRIVATE residue_flags)
target_include_directories(layout_objects PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
residue_add_drop_in(directml directml/directml.map com_objects directml_objects directml_schema_objects layout_objects)
