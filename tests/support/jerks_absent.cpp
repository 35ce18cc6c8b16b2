// SPDX-License-Identifier: MIT
#include <stdexcept>

#include "core/engines/engine.hpp"
#include "tests/support/jerks.hpp"

namespace orrery::test {

static constexpr const char* kNoDevice = "a build without CUDA has no engine on a device";

AccelerationsAndJerks device_jerks(Engine<Device, float>&, const Bodies&, const Gravity&,
                                   const std::vector<std::uint32_t>&) {
    throw std::logic_error{kNoDevice};
}
AccelerationsAndJerks device_jerks(Engine<Device, double>&, const Bodies&, const Gravity&,
                                   const std::vector<std::uint32_t>&) {
    throw std::logic_error{kNoDevice};
}

}  // namespace orrery::test
