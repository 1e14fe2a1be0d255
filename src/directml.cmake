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

add_library(host_d3d12_objects OBJECT
  host_d3d12/command_list.cc
  host_d3d12/command_queue.cc
  host_d3d12/commands.cc
  host_d3d12/debug.cc
  host_d3d12/descriptor_heap.cc
  host_d3d12/device.cc
  host_d3d12/dxgi.cc
  host_d3d12/exports.cc
  host_d3d12/feature_support.cc
  host_d3d12/fence.cc
  host_d3d12/heap.cc
  host_d3d12/info_queue.cc
  host_d3d12/memory.cc
  host_d3d12/resource.cc
  host_d3d12/win32.cc
)
target_link_libraries(host_d3d12_objects PUBLIC directx_headers Threads::Threads PRIVATE residue_flags)

# What DirectML says about operators and tensors; the command reads it too.
add_library(schema_objects OBJECT
  schema/graph.cc
  schema/graph_edges.cc
  schema/operator_desc.cc
  schema/operator_schema.cc
  schema/refusal.cc
  schema/tensor_desc.cc
)
target_link_libraries(schema_objects PUBLIC residue_objects directx_headers PRIVATE residue_flags)

add_library(directml_objects OBJECT
  api/binding_table.cc
  api/bindings.cc
  api/command_recorder.cc
  api/compiled_operator.cc
  api/create_device.cc
  api/device.cc
  api/device_state.cc
  api/dispatch.cc
  api/dispatchable.cc
  api/exports.cc
  api/feature_support.cc
  api/graph_nodes.cc
  api/operator_initializer.cc
)
target_link_libraries(directml_objects PUBLIC schema_objects PRIVATE residue_flags)

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

residue_add_drop_in(residue_d3d12 host_d3d12/d3d12.map com_objects host_d3d12_objects)
residue_add_drop_in(directml api/directml.map com_objects directml_objects schema_objects residue_objects)
target_link_libraries(directml PRIVATE hwy::hwy TBB::tbb)
