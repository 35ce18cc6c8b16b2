// SPDX-License-Identifier: MIT
// The lines of the engine menu; each is defined beside its engine.
#pragma once
#include <span>

#include "core/engines/menu.hpp"

namespace orrery {

// On the CPU.
EngineEntry reference_engine();
EngineEntry direct_engine();
EngineEntry half_engine();
EngineEntry tree_engine();
EngineEntry fmm_engine();
EngineEntry triplet_engine();
EngineEntry auto_engine();
EngineEntry naive_engine();
EngineEntry tree_locks_engine();
EngineEntry kernel_engine();

// On a GPU, only in a build with CUDA.
EngineEntry cuda_direct_engine();
EngineEntry cuda_half_engine();
EngineEntry cuda_tree_engine();
EngineEntry cuda_fmm_engine();
EngineEntry cuda_naive_engine();
EngineEntry cuda_tree_locks_engine();
EngineEntry cuda_triplet_engine();
EngineEntry cuda_auto_engine();
EngineEntry cuda_kernel_engine();

// On a GPU through OpenGL.
EngineEntry gl_direct_engine();
EngineEntry gl_half_engine();
EngineEntry gl_tree_engine();
EngineEntry gl_kernel_engine();

// The menus that engines() joins. A build without CUDA links an empty one (cuda/absent.cpp), one without EGL an empty
// one of OpenGL (gl/absent.cpp), so callers need no #if.
std::span<const EngineEntry> cpu_engines();
std::span<const EngineEntry> cuda_engines();
std::span<const EngineEntry> gl_engines();

}  // namespace orrery
