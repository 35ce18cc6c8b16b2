// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <map>

#include "core/gl/device.hpp"

namespace orrery::gl {

/// Cuts work into dispatches that take at most kLongest, because a desktop does not draw while a dispatch runs, and
/// drivers reset a device after seconds. Measures each dispatch on the device. One item can take longer; since a device
/// computes many items at once, dispatches then take up to kRoom times as long as one item. Call within Device::run().
class Pace {
public:
    static constexpr double kLongest = 10e-3, kAim = 9e-3;  // seconds

    /// Cuts items [first, last): dispatch(begin, end) computes a part of them. Items take about the same time, and
    /// `units` estimates it.
    template <class Dispatch>
    void cut(std::uint64_t first, std::uint64_t last, double units, const Dispatch& dispatch) {
        while (first < last) {
            const std::uint64_t end = first + std::min(last - first, fit(units));
            begin();
            dispatch(first, end);
            this->end(units, end - first, end < last);
            first = end;
        }
    }

private:
    struct Sample {
        Timestamp start, stop;
        double units = 0;
        bool one = false;  // item
    };
    static constexpr double kRoom = 2.2;

    /// Number of items for the next dispatch.
    std::uint64_t fit(double units) const {
        return static_cast<std::uint64_t>(std::max(1.0, rate_ * std::max(kAim, kRoom * one_) / units));
    }
    void begin() {
        if (const std::uint64_t now = Device::get().generation(); now != generation_)
            generation_ = now, next_ = read_ = 0;  // earlier measurements are gone
        at(next_).start.record();
    }
    /// If there is more work, waits for the first dispatches until they no longer grow, so that the rate is known soon.
    void end(double units, std::uint64_t items, bool more) {
        Sample& sample = at(next_++);
        sample.stop.record();
        sample.units = units * static_cast<double>(items), sample.one = items == 1;
        if (more && !known_) {
            while (read_ < next_) read();
            known_ = sample.units > 0.5 * units * static_cast<double>(fit(units));
        }
        while (next_ - read_ >= samples_.size() || (read_ < next_ && at(read_).stop.there())) read();
    }
    Sample& at(std::size_t number) { return samples_[number % samples_.size()]; }
    void read() {
        const Sample& sample = at(read_++);
        const double seconds =
            1e-9 * static_cast<double>(sample.stop.read() - sample.start.read()) * Device::get().pretended().slowness;
        if (sample.one) one_ = one_ == 0 ? seconds : std::min(one_, seconds);
        const double rate = sample.units / std::max(seconds, 1e-9);
        // A short dispatch measures its start, and not the rate of a long one.
        rate_ = seconds < kAim / 8 ? std::max(rate_, std::min(rate, 8 * rate_)) : rate;
    }

    std::array<Sample, 8> samples_;
    std::size_t next_ = 0, read_ = 0;
    double rate_ = 1e9;  // units per second: of the slowest devices, so that the first dispatch is short on any
    double one_ = 0;     // seconds of the fastest dispatch of one item
    std::uint64_t generation_ = 0;  // of the device
    bool known_ = false;
};

/// Dispatches whose work groups do not depend on each other, each shader at its own pace. Call within Device::run().
class PacedDispatches {
public:
    /// As Device::dispatch(). Shaders add Arguments::first_group to the index of the work group. Few groups are not
    /// measured: queries cost more than such a dispatch.
    template <class Arguments>
    void run(const Program& program, std::initializer_list<unsigned> buffers, Arguments arguments,
             std::uint64_t groups) {
        Device& device = Device::get();
        Pace& pace = paces_[&program];
        const auto dispatch = [&](std::uint64_t first, std::uint64_t end) {
            arguments.first_group = static_cast<std::uint32_t>(first);
            device.dispatch(program, buffers, arguments, end - first, first == 0 ? After::kAll : After::kNone);
        };
        if (groups < kMeasured && device.pretended().slowness <= 1) return dispatch(0, groups);
        pace.cut(0, groups, kUnits, dispatch);
    }

private:
    static constexpr std::uint64_t kMeasured = 512;
    static constexpr double kUnits = 2048;  // of a work group: as many pairs take about its time

    std::map<const Program*, Pace> paces_;
};

}  // namespace orrery::gl
