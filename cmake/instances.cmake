# orrery_cuda_instances(target header INSTANCES...): compiles each explicit instantiation of a function template of this
# header separately, since the kernels that one of them needs take up to a minute. The header declares them `extern
# template`.
function(orrery_cuda_instances target header)
  string(MAKE_C_IDENTIFIER ${header} name)
  set(number 0)
  foreach(instance IN LISTS ARGN)
    set(unit ${CMAKE_CURRENT_BINARY_DIR}/instances/${name}_${number}.cu)
    file(CONFIGURE OUTPUT ${unit} CONTENT
      "#include \"core/${header}\"\n\nnamespace orrery::cuda {\n\ntemplate ${instance};\n\n}  // namespace orrery::cuda\n" @ONLY)
    target_sources(${target} PRIVATE ${unit})
    math(EXPR number "${number} + 1")
  endforeach()
endfunction()
