// SPDX-License-Identifier: MIT
// Measures interpolation between two snapshots: interpolation_times [SCENE [BODIES [double]]]. Prints milliseconds of
// the upload to the first CUDA device, of the device (by its clock) and of the CPU, with the largest distance between
// the two results, relative to the half-number radius.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "core/base/pool.hpp"
#include "core/bodies/body_state.hpp"
#include "core/bodies/body_system.hpp"
#include "core/bodies/interpolation.hpp"
#include "core/cuda/info.hpp"
#include "core/presets/presets.hpp"

namespace {

template <class F>
double milliseconds(const F& f) {
    const auto start = std::chrono::steady_clock::now();
    f();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

double median(std::vector<double> of) {
    std::ranges::sort(of);
    return of[of.size() / 2];
}

}  // namespace

int main(int count, char** words) {
    using namespace orrery;
    const std::string id = count > 1 ? words[1] : "plummer";
    const std::size_t wanted = count > 2 ? std::strtoull(words[2], nullptr, 10) : 1000000;
    const Precision precision = count > 3 ? Precision::kDouble : Precision::kSingle;
    Scene scene = make_preset(id, {.bodies = static_cast<std::uint32_t>(wanted)});
    const double h = 20 * scene.dt;
    auto from = std::make_shared<TimedBodies>(), to = std::make_shared<TimedBodies>();
    from->bodies.position_mass = scene.bodies.position_mass, from->bodies.velocity = scene.bodies.velocity;
    to->time = h, to->bodies = from->bodies;
    for (std::size_t i = 0; i < from->bodies.size(); ++i) {
        Vec4d& x = to->bodies.position_mass[i];
        const Vec3d moved = xyz(x) + h * to->bodies.velocity[i];
        x = {moved.x, moved.y, moved.z, x.w};
    }
    Pool pool{0, false};
    bool straight = false;
    std::printf("%s, %zu bodies, %s\n", id.c_str(), from->bodies.size(), name(precision).data());
    std::printf("check of the velocities: %.1f ms on the host\n",
                milliseconds([&] { straight = velocities_mislead(*from, *to, pool); }));
    const Interpolation way{from, to, straight, pool};
    BodyState host;
    std::vector<double> took;
    for (int i = 0; i < 4; ++i) took.push_back(milliseconds([&] { host = way.at(0.3 * h, precision); }));
    std::printf("host: %.1f ms, %u threads\n", median(took), std::thread::hardware_concurrency());
    if (!cuda_info().available) return 0;

    const EngineConfig config{.engine = "direct", .backend = Backend::kCuda, .precision = precision};
    const auto system = make_body_system(config, from->bodies);
    InterpolationPower& power = *system->interpolation();
    std::printf("upload of both: %.1f ms\n", milliseconds([&] { power.show(way, 0), system->wait(); }));
    took.clear();
    for (int i = 1; i <= 21; ++i) {
        system->clock().start();
        power.show(way, h * i / 22);
        took.push_back(1e3 * system->clock().stop());
    }
    std::printf("device: %.3f ms\n", median(took));
    power.show(way, 0.3 * h);
    const Bodies there = bodies_of(system->save()), here = bodies_of(host);
    double largest = 0;
    std::vector<double> radii;
    for (std::size_t i = 0; i < here.size(); ++i) {
        largest = std::max(largest, length(xyz(there.position_mass[i]) - xyz(here.position_mass[i])));
        radii.push_back(length(xyz(here.position_mass[i])));
    }
    std::printf("largest difference: %.1e of the half-number radius\n", largest / median(radii));
}
