// SPDX-License-Identifier: MIT
#pragma once

/// Marks a function that runs on the host and, when nvcc compiles it, on the device too.
#ifdef __CUDACC__
#define ORRERY_HD __host__ __device__
#else
#define ORRERY_HD
#endif
