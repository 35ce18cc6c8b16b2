# What is true of every target we own, and of nothing else.
add_library(orrery_options INTERFACE)
target_compile_features(orrery_options INTERFACE cxx_std_20)
set(cxx_warnings -Wall -Wextra -Wconversion -Wshadow -Wno-missing-field-initializers)
target_compile_options(orrery_options INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:${cxx_warnings}>
  # Nobody replaces our functions when libraries are loaded, so position-independent code inlines them as any other does.
  $<$<COMPILE_LANGUAGE:CXX>:-fno-semantic-interposition>
  # CMake 3.25 does not know C++20 for nvcc
  $<$<COMPILE_LANGUAGE:CUDA>:-std=c++20 --expt-relaxed-constexpr -Xcompiler=-Wall,-Wextra,-Wno-missing-field-initializers>)
if(ORRERY_WERROR)
  target_compile_options(orrery_options INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-Werror> $<$<COMPILE_LANGUAGE:CUDA>:-Werror=all-warnings -Xcompiler=-Werror>)
endif()
if(ORRERY_SANITIZE)
  # GCC 12 judges instrumented code wrongly here (PR 105651 and kin); the other builds keep these warnings.
  target_compile_options(orrery_options INTERFACE -Wno-restrict -Wno-stringop-overflow -Wno-array-bounds -Wno-maybe-uninitialized)
  target_compile_options(orrery_options INTERFACE -fsanitize=${ORRERY_SANITIZE} -fno-omit-frame-pointer)
  # A sanitizer calls dlopen() in the program's place, and RUNPATH counts for the caller alone: RPATH counts for all.
  target_link_options(orrery_options INTERFACE -fsanitize=${ORRERY_SANITIZE} -Wl,--disable-new-dtags)
  add_library(orrery_keep_loaded OBJECT ${PROJECT_SOURCE_DIR}/tests/inject/keep_loaded.cpp)
  target_link_libraries(orrery_options INTERFACE $<TARGET_OBJECTS:orrery_keep_loaded>)
  target_link_options(orrery_options INTERFACE -Wl,--export-dynamic-symbol=dlclose)
endif()
