// SPDX-License-Identifier: MIT
#include "core/cuda/device_buffer.hpp"
#include "core/cuda/stream.hpp"
#include "core/engines/engine.hpp"
#include "tests/support/jerks.hpp"

namespace orrery::test {
namespace {

template <class T>
cuda::DeviceBuffer<T> on_device(const std::vector<T>& host, cudaStream_t stream) {
    cuda::DeviceBuffer<T> buffer{host.size()};
    cuda::upload<T>(host, buffer, stream);
    return buffer;
}

template <class Real>
std::vector<Vec4d> on_host(const cuda::DeviceBuffer<Vec4<Real>>& device, const cuda::Stream& stream) {
    std::vector<Vec4<Real>> host(device.size());
    cuda::download<Vec4<Real>>(device, host, stream.get());
    stream.wait();
    return in_double(host);
}

template <class Real>
AccelerationsAndJerks ask(Engine<Device, Real>& engine, const Bodies& bodies, const Gravity& gravity,
                          const std::vector<std::uint32_t>& rows) {
    const cuda::Stream stream;
    const BodiesInMotion<Real> motion{bodies};
    const std::vector<Vec4<Real>> zeros(bodies.size());
    auto position = on_device(motion.position, stream.get()), velocity = on_device(motion.velocity, stream.get());
    auto acceleration = on_device(zeros, stream.get()), jerk = on_device(zeros, stream.get());
    auto wanted = on_device(rows, stream.get());
    const std::uint64_t items = require_jerks(engine).begin_with_jerk(
        {position.data(), acceleration.data(), bodies.size()},
        {velocity.data(), jerk.data(), wanted.data(), rows.size()}, gravity, {stream.get()});
    engine.run(0, items / 2, {stream.get()});
    engine.run(items / 2, items, {stream.get()});
    return {on_host(acceleration, stream), on_host(jerk, stream)};
}

}  // namespace

AccelerationsAndJerks device_jerks(Engine<Device, float>& engine, const Bodies& bodies, const Gravity& gravity,
                                   const std::vector<std::uint32_t>& rows) {
    return ask(engine, bodies, gravity, rows);
}
AccelerationsAndJerks device_jerks(Engine<Device, double>& engine, const Bodies& bodies, const Gravity& gravity,
                                   const std::vector<std::uint32_t>& rows) {
    return ask(engine, bodies, gravity, rows);
}

}  // namespace orrery::test
