// SPDX-License-Identifier: MIT
#include "core/bodies/body_system.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "core/base/error.hpp"
#include "core/bodies/make_system.hpp"
#include "core/engines/engine.hpp"
#include "core/engines/menu.hpp"

namespace orrery {

static constexpr const char* kNoJerk = "this system does not compute jerks";
std::uint64_t BodySystem::begin_jerk_forces(const Gravity&, bool) { throw std::logic_error{kNoJerk}; }
void BodySystem::begin_hermite(double, double) { throw std::logic_error{kNoJerk}; }
std::size_t BodySystem::predict() { throw std::logic_error{kNoJerk}; }
bool BodySystem::correct() { throw std::logic_error{kNoJerk}; }
void BodySystem::abandon_hermite() { throw std::logic_error{kNoJerk}; }

std::unique_ptr<BodySystem> make_body_system(const EngineConfig& config, const Bodies& bodies, Urgency urgency) {
    if (bodies.size() == 0) usage_error("a simulation needs at least one body");
    const EngineEntry& entry = engine(config.engine, config.backend);
    if (config.compensated && entry.backend != Backend::kCpu)
        usage_error(
            fmt::format("compensated summation is available only on the CPU (--backend cpu); engine '{}' is on {}",
                        config.engine, name(config.backend)));
    require_precision(entry, config.precision);
    try {
        AnyEngine made = entry.make(config);
        return entry.backend == Backend::kCpu ? make_host_system(std::move(made), config, entry.law, bodies)
                                              : make_device_system(std::move(made), entry.law, bodies, urgency);
    } catch (const std::bad_alloc&) {
        environment_error(fmt::format("{} bodies do not fit into the memory of this machine", bodies.size()));
    }
}

std::vector<Vec4d> accelerations(const EngineConfig& config, const Bodies& bodies, const Gravity& gravity,
                                 Potential potential) {
    const auto system = make_body_system(config, bodies);
    const std::uint64_t items = system->begin_forces(gravity, potential);
    system->run_forces(0, items);
    system->wait();
    return system->accelerations();
}

}  // namespace orrery
