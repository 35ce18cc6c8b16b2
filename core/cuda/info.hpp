// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <string>
#include <vector>

namespace orrery {

struct CudaDevice {
    std::string name;
    int major = 0, minor = 0;  ///< compute capability
    std::size_t memory = 0;    ///< bytes
    int multiprocessors = 0;
    std::string bus;  ///< PCI bus id, "0000:65:00.0"
};

/// The CUDA devices of this machine. Queried once; any driver error counts as "no GPU".
struct CudaInfo {
    bool available = false;
    std::string reason;  ///< why CUDA is not available; empty if it is
    int driver = 0;      ///< 13000 for 13.0; 0: no driver
    std::vector<CudaDevice> devices;
};

const CudaInfo& cuda_info();

}  // namespace orrery
