# orrery_embed(target namespace FILES...): makes each file (text or font) a constant that can be looked up by name at
# run time, so that the program is a single relocatable file. Declares  std::string_view
# <namespace>::file(std::string_view name).
function(orrery_embed target namespace)
  set(out ${CMAKE_CURRENT_BINARY_DIR}/${target}.cpp)
  set(inputs)
  foreach(file IN LISTS ARGN)
    list(APPEND inputs ${CMAKE_CURRENT_SOURCE_DIR}/${file})
  endforeach()
  add_custom_command(OUTPUT ${out}
    COMMAND ${CMAKE_COMMAND} -DOUT=${out} -DNAMESPACE=${namespace} -DBASE=${CMAKE_CURRENT_SOURCE_DIR} "-DFILES=${inputs}"
            -P ${PROJECT_SOURCE_DIR}/cmake/embed_script.cmake
    DEPENDS ${inputs} ${PROJECT_SOURCE_DIR}/cmake/embed_script.cmake VERBATIM)
  add_library(${target} STATIC ${out})
  target_link_libraries(${target} PUBLIC orrery_options)
  target_include_directories(${target} PUBLIC ${PROJECT_SOURCE_DIR})
endfunction()
