# Options common to all of our targets, and only to them.
add_library(orrery_options INTERFACE)
target_compile_features(orrery_options INTERFACE cxx_std_20)
set(cxx_warnings -Wall -Wextra -Wconversion -Wshadow -Wno-missing-field-initializers)
target_compile_options(orrery_options INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:${cxx_warnings}>
  # Our functions are never interposed, so position-independent code may inline them.
  $<$<COMPILE_LANGUAGE:CXX>:-fno-semantic-interposition>
  # CMake 3.25 cannot select C++20 for nvcc
  $<$<COMPILE_LANGUAGE:CUDA>:-std=c++20 --expt-relaxed-constexpr -Xcompiler=-Wall,-Wextra,-Wno-missing-field-initializers>)
# g++ collects garbage whenever its memory has doubled, a tenth of its time; a unit takes up to 1.2 GB with this.
target_compile_options(orrery_options INTERFACE
  $<$<COMPILE_LANG_AND_ID:CXX,GNU>:--param=ggc-min-heapsize=524288>
  $<$<AND:$<COMPILE_LANGUAGE:CUDA>,$<CXX_COMPILER_ID:GNU>>:-Xcompiler=--param=ggc-min-heapsize=524288>)
if(ORRERY_WERROR)
  target_compile_options(orrery_options INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-Werror> $<$<COMPILE_LANGUAGE:CUDA>:-Werror=all-warnings -Xcompiler=-Werror>)
endif()
if(ORRERY_SANITIZE)
  # GCC 12 gives false warnings for instrumented code (PR 105651 and similar); the other builds keep these warnings.
  target_compile_options(orrery_options INTERFACE -Wno-restrict -Wno-stringop-overflow -Wno-array-bounds -Wno-maybe-uninitialized)
  target_compile_options(orrery_options INTERFACE -fsanitize=${ORRERY_SANITIZE} -fno-omit-frame-pointer)
  # A sanitizer calls dlopen() on the program's behalf. RUNPATH applies only to the caller, RPATH to all.
  target_link_options(orrery_options INTERFACE -fsanitize=${ORRERY_SANITIZE} -Wl,--disable-new-dtags)
  add_library(orrery_keep_loaded OBJECT ${PROJECT_SOURCE_DIR}/tests/inject/keep_loaded.cpp)
  target_link_libraries(orrery_options INTERFACE $<TARGET_OBJECTS:orrery_keep_loaded>)
  target_link_options(orrery_options INTERFACE -Wl,--export-dynamic-symbol=dlclose)
endif()
