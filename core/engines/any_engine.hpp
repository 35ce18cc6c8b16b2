// SPDX-License-Identifier: MIT
#pragma once
#include <memory>
#include <variant>

namespace orrery {

struct Host;
struct Device;
template <class Space, class Real>
class Engine;

/// An engine of any memory space and precision. Who looks inside includes core/engines/engine.hpp.
using AnyEngine = std::variant<std::unique_ptr<Engine<Host, float>>, std::unique_ptr<Engine<Host, double>>,
                               std::unique_ptr<Engine<Device, float>>, std::unique_ptr<Engine<Device, double>>>;

}  // namespace orrery
