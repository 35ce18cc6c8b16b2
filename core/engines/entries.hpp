// SPDX-License-Identifier: MIT
#pragma once
#include <span>

#include "core/engines/menu.hpp"

namespace orrery {

// The engines of each backend in the order of the menu, a line each: NAME_engine() returns the entry of ENGINE(NAME).
#define ORRERY_CPU_ENGINES(ENGINE) \
    ENGINE(reference)              \
    ENGINE(direct)                 \
    ENGINE(half)                   \
    ENGINE(tree)                   \
    ENGINE(fmm)                    \
    ENGINE(triplet)                \
    ENGINE(auto)                   \
    ENGINE(naive)                  \
    ENGINE(tree_locks)             \
    ENGINE(kernel)
#define ORRERY_CUDA_ENGINES(ENGINE) \
    ENGINE(cuda_direct)             \
    ENGINE(cuda_half)               \
    ENGINE(cuda_tree)               \
    ENGINE(cuda_fmm)                \
    ENGINE(cuda_naive)              \
    ENGINE(cuda_tree_locks)         \
    ENGINE(cuda_triplet)            \
    ENGINE(cuda_auto)               \
    ENGINE(cuda_kernel)
#define ORRERY_GL_ENGINES(ENGINE) \
    ENGINE(gl_direct)             \
    ENGINE(gl_half)               \
    ENGINE(gl_tree)               \
    ENGINE(gl_kernel)

#define ORRERY_ENGINES(ENGINE) ORRERY_CPU_ENGINES(ENGINE) ORRERY_CUDA_ENGINES(ENGINE) ORRERY_GL_ENGINES(ENGINE)

#define ORRERY_DECLARE(name) EngineEntry name##_engine();
ORRERY_ENGINES(ORRERY_DECLARE)
#undef ORRERY_DECLARE

// The menus that engines() joins. A build without CUDA links an empty one (cuda/absent.cpp), one without EGL an empty
// one of OpenGL (gl/absent.cpp), so callers need no #if.
std::span<const EngineEntry> cpu_engines();
std::span<const EngineEntry> cuda_engines();
std::span<const EngineEntry> gl_engines();

}  // namespace orrery
