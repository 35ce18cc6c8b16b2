// SPDX-License-Identifier: MIT
#pragma once
#include <memory>
#include <variant>

namespace orrery {

struct Host;
struct Device;
template <class Space, class Real>
class Engine;

/// An engine in any memory space and precision. Code that dereferences it must include core/engines/engine.hpp.
using AnyEngine = std::variant<std::unique_ptr<Engine<Host, float>>, std::unique_ptr<Engine<Host, double>>,
                               std::unique_ptr<Engine<Device, float>>, std::unique_ptr<Engine<Device, double>>>;

}  // namespace orrery
