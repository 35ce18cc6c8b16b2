// SPDX-License-Identifier: MIT
// Measures the search for k-th neighbours: neighbour_times [SCENE [BODIES [K [host]]]]. Prints milliseconds on the
// first CUDA device and, with `host`, on the CPU, with the largest difference between the two.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "core/bodies/neighbours_device.hpp"
#include "core/cuda/info.hpp"
#include "core/presets/presets.hpp"
#include "core/spatial/neighbours.hpp"

int main(int count, char** words) {
    using namespace orrery;
    const std::string scene = count > 1 ? words[1] : "plummer";
    const std::size_t bodies = count > 2 ? std::strtoull(words[2], nullptr, 10) : 1000000;
    const int k = count > 3 ? std::atoi(words[3]) : 32;
    std::vector<Vec4f> places;
    for (const Vec4d& body : make_preset(scene, {.bodies = static_cast<std::uint32_t>(bodies)}).bodies.position_mass)
        places.push_back(convert<float>(body));
    std::vector<float> device, host;
    if (cuda_info().available) {
        DeviceDistances found = neighbours_on_device(places, k, 5);
        std::printf("%s, %zu bodies, k = %d: device %.2f ms\n", scene.c_str(), places.size(), k, 1e3 * found.seconds);
        device = std::move(found.distances);
    }
    if (count <= 4) return 0;
    Pool pool{0, false};
    const auto start = std::chrono::steady_clock::now();
    Neighbours{}.find(pool, places, k, host);
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
    double worst = 0;
    for (std::size_t i = 0; i < device.size(); ++i)
        worst = std::max(worst, static_cast<double>(std::abs(device[i] - host[i]) / std::max(host[i], 1e-30f)));
    std::printf("host %.0f ms with %d threads; largest relative difference %.1e\n", took.count(),
                static_cast<int>(std::thread::hardware_concurrency()), worst);
}
