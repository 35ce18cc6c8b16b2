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
/// drivers reset a device after seconds. Measures each dispatch on the device. Call within Device::run().
class Pace {
public:
    static constexpr double kLongest = 10e-3, kAim = 9e-3;  // seconds

    /// Number of work units for the next dispatch.
    double units() const { return rate_ * kAim; }
    void begin() {
        if (const std::uint64_t now = Device::get().generation(); now != generation_)
            generation_ = now, next_ = read_ = 0;  // earlier measurements are gone
        at(next_).start.record();
    }
    /// After a dispatch of this many units. If there is more work, waits for the first ones, which are short, so that
    /// the rate is known soon.
    void end(double units, bool more) {
        Sample& sample = at(next_++);
        sample.stop.record();
        sample.units = units;
        if (more && !known_)
            while (read_ < next_) read();
        while (next_ - read_ >= samples_.size() || (read_ < next_ && at(read_).stop.there())) read();
    }
    double longest() const { return longest_; }  ///< seconds, of all dispatches that have been measured

private:
    struct Sample {
        Timestamp start, stop;
        double units = 0;
    };
    Sample& at(std::size_t number) { return samples_[number % samples_.size()]; }
    void read() {
        const Sample& sample = at(read_++);
        const double seconds =
            1e-9 * static_cast<double>(sample.stop.read() - sample.start.read()) * Device::get().pretended().slowness;
        longest_ = std::max(longest_, seconds);
        const double rate = sample.units / std::max(seconds, 1e-9);
        // A short dispatch measures its start, and not the rate of a long one.
        rate_ = seconds < kAim / 8 ? std::max(rate_, std::min(rate, 8 * rate_)) : rate;
        known_ = known_ || seconds >= kAim / 8;
    }

    std::array<Sample, 8> samples_;
    std::size_t next_ = 0, read_ = 0;
    double rate_ = 1e9;  // units per second: of the slowest devices, so that the first dispatch is short on any
    double longest_ = 0;
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
        const bool measured = groups >= kMeasured || device.pretended().slowness > 1;
        for (std::uint64_t first = 0; first < groups;) {
            const auto fit = static_cast<std::uint64_t>(std::max(1.0, pace.units() / kUnits));
            const std::uint64_t end = std::min({groups, first + fit, first + device.limits().groups});
            arguments.first_group = static_cast<std::uint32_t>(first);
            if (measured) pace.begin();
            device.dispatch(program, buffers, arguments, end - first, first == 0 ? After::kAll : After::kNone);
            if (measured) pace.end(kUnits * static_cast<double>(end - first), end < groups);
            first = end;
        }
    }
    double longest() const {  ///< seconds, of all dispatches that have been measured
        double longest = 0;
        for (const auto& [program, pace] : paces_) longest = std::max(longest, pace.longest());
        return longest;
    }

private:
    static constexpr std::uint64_t kMeasured = 512;
    static constexpr double kUnits = 2048;  // of a work group: as many pairs take about its time

    std::map<const Program*, Pace> paces_;
};

}  // namespace orrery::gl
