# orrery_cuda_instances(target header INSTANCES...): compiles the explicit instantiations of function templates of this
# header two at a time, apart from other code: the kernels that one of them needs take up to 20 seconds, and the headers
# of a unit two. The header declares them `extern template`.
function(orrery_cuda_instances target header)
  string(MAKE_C_IDENTIFIER ${header} name)
  set(number 0)
  set(text "")
  list(LENGTH ARGN count)
  foreach(instance IN LISTS ARGN)
    math(EXPR number "${number} + 1")
    math(EXPR odd "${number} % 2")
    string(APPEND text "template ${instance};\n")
    if(odd AND number LESS count)
      continue()
    endif()
    set(unit ${CMAKE_CURRENT_BINARY_DIR}/instances/${name}_${number}.cu)
    file(CONFIGURE OUTPUT ${unit} CONTENT
      "#include \"core/${header}\"\n\nnamespace orrery::cuda {\n\n${text}\n}  // namespace orrery::cuda\n" @ONLY)
    target_sources(${target} PRIVATE ${unit})
    set(text "")
  endforeach()
endfunction()
