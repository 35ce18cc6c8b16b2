# The assembler includes the files, which takes no time, unlike the compilation of megabytes of literals.
set(constants "")
set(lines "")
foreach(file IN LISTS FILES)
  file(RELATIVE_PATH name ${BASE} ${file})
  string(MAKE_C_IDENTIFIER "file_${name}" constant)
  string(APPEND constants
    "asm(R\"(.pushsection .rodata\n${constant}: .incbin \"${file}\"\n${constant}_end: .popsection)\");\n"
    "extern \"C\" [[gnu::visibility(\"hidden\")]] const char ${constant}[], ${constant}_end[];\n")
  string(APPEND lines "    if (name == \"${name}\") return {${constant}, ${constant}_end};\n")
endforeach()
file(WRITE ${OUT}
  "// Generated. Do not edit.\n#include <string_view>\n${constants}namespace ${NAMESPACE} {\n"
  "std::string_view file(std::string_view name) {\n${lines}    return {};\n}\n}  // namespace ${NAMESPACE}\n")
