// SPDX-License-Identifier: MIT
#include "app/camera/camera_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "core/base/error.hpp"

namespace orrery {
namespace {

constexpr double kTurn = 2 * std::numbers::pi;

/// The interpolated coordinates of a pose, with the logarithm of the distance.
struct Coordinates {
    glm::dvec3 target{0};
    std::array<double, 4> scalars{};  // ln distance, yaw, pitch, fov
};

Coordinates coordinates(const CameraPose& pose) {
    return {pose.target, {std::log(pose.distance), pose.yaw, pose.pitch, pose.fov}};
}

CameraPose pose_of(const Coordinates& c) {
    return {c.target, std::exp(c.scalars[0]), c.scalars[1], c.scalars[2], c.scalars[3]};
}

/// From one key to the next.
struct Segment {
    double seconds = 0;
    Coordinates change;
};

/// Segment i of a path begins at key i; the last of a loop leads back to the first key.
Segment segment(const CameraPath& path, std::size_t i) {
    const bool last = i + 1 == path.keys.size();
    const CameraKey &from = path.keys[i], &to = path.keys[last ? 0 : i + 1];
    const Coordinates a = coordinates(from.pose), b = coordinates(to.pose);
    Segment result{.seconds = last ? path.closing : to.time - from.time, .change = {b.target - a.target, {}}};
    for (std::size_t k = 0; k < a.scalars.size(); ++k) result.change.scalars[k] = b.scalars[k] - a.scalars[k];
    if (last) result.change.scalars[1] = std::remainder(result.change.scalars[1], kTurn);
    return result;
}

/// Weighted harmonic mean of two slopes, 0 where they change sign (Fritsch & Butland 1984).
double monotone_tangent(double slope_before, double slope_after, double before, double after) {
    if (!(slope_before * slope_after > 0)) return 0;
    const double weight = 2 * after + before, other = after + 2 * before;
    return (weight + other) / (weight / slope_before + other / slope_after);
}

/// Change per second at the key between two segments.
Coordinates tangent_between(const Segment& before, const Segment& after) {
    const double all = before.seconds + after.seconds;
    const glm::dvec3 slope_before = before.change.target / before.seconds;
    const glm::dvec3 slope_after = after.change.target / after.seconds;
    Coordinates tangent;
    if (slope_before != glm::dvec3{0} && slope_after != glm::dvec3{0})  // a target held in a segment stays in place
        tangent.target = (after.seconds * slope_before + before.seconds * slope_after) / all;
    for (std::size_t k = 0; k < tangent.scalars.size(); ++k)
        tangent.scalars[k] = monotone_tangent(before.change.scalars[k] / before.seconds,
                                              after.change.scalars[k] / after.seconds, before.seconds, after.seconds);
    return tangent;
}

Coordinates tangent(const CameraPath& path, std::size_t key) {
    const std::size_t count = path.keys.size();
    const bool end = key == 0 || key + 1 == count;
    if (end && !path.loop) return {};
    return tangent_between(segment(path, (key + count - 1) % count), segment(path, key));
}

/// Cubic Hermite polynomial from 0 to `change` over `seconds`, at the fraction s of it, 0 to 1.
template <class T>
T hermite(const T& change, const T& tangent_from, const T& tangent_to, double seconds, double s) {
    const double s2 = s * s, s3 = s2 * s;
    return (3 * s2 - 2 * s3) * change + seconds * ((s3 - 2 * s2 + s) * tangent_from + (s3 - s2) * tangent_to);
}

CameraPose within(const CameraPath& path, std::size_t i, double s) {
    const Segment now = segment(path, i);
    const Coordinates from = tangent(path, i), to = tangent(path, (i + 1) % path.keys.size());
    Coordinates at = coordinates(path.keys[i].pose);
    at.target += hermite(now.change.target, from.target, to.target, now.seconds, s);
    for (std::size_t k = 0; k < at.scalars.size(); ++k)
        at.scalars[k] += hermite(now.change.scalars[k], from.scalars[k], to.scalars[k], now.seconds, s);
    return pose_of(at);
}

void require_time(double seconds) {
    if (!(seconds >= 0) || !std::isfinite(seconds))
        usage_error(fmt::format("keyframe at {} s: must be 0 or more", seconds));
}

}  // namespace

double CameraPath::duration() const {
    if (keys.size() < 2) return 0;
    return keys.back().time - keys.front().time + (loop ? closing : 0);
}

CameraPose CameraPath::evaluate(double seconds) const {
    const CameraKey &first = keys.front(), &last = keys.back();
    if (keys.size() < 2) return first.pose;
    if (loop && (seconds < first.time || seconds >= first.time + duration()))
        seconds -= duration() * std::floor((seconds - first.time) / duration());
    if (!(seconds > first.time)) return first.pose;
    if (!loop && seconds >= last.time) return last.pose;
    const auto after = std::ranges::upper_bound(keys, seconds, {}, &CameraKey::time);
    const auto i = static_cast<std::size_t>(after - keys.begin()) - 1;
    if (seconds == keys[i].time) return keys[i].pose;  // exact: not rounded by the logarithm of the distance
    return within(*this, i, std::min(1.0, (seconds - keys[i].time) / segment(*this, i).seconds));
}

std::size_t CameraPath::add(double seconds, const CameraPose& pose) {
    require_time(seconds);
    const auto at = std::ranges::lower_bound(keys, seconds, {}, &CameraKey::time);
    CameraKey key{seconds, pose};
    if (at != keys.begin()) {
        const double before = std::prev(at)->pose.yaw;
        key.pose.yaw = before + std::remainder(pose.yaw - before, kTurn);
    }
    const auto place = static_cast<std::size_t>(at - keys.begin());
    if (at != keys.end() && at->time == seconds)
        *at = key;
    else
        keys.insert(at, key);
    return place;
}

std::size_t CameraPath::move(std::size_t key, double seconds) {
    require_time(seconds);  // before anything is erased
    const CameraPose pose = keys.at(key).pose;
    erase(key);
    return add(seconds, pose);
}

void CameraPath::erase(std::size_t key) { keys.erase(keys.begin() + static_cast<std::ptrdiff_t>(key)); }

std::optional<std::string> CameraPath::problem() const {
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const auto& [time, pose] = keys[i];
        const auto wrong = [&](std::string_view what) { return fmt::format("camera keyframe {}: {}", i + 1, what); };
        if (!(time >= 0) || !std::isfinite(time)) return wrong("its time must be 0 s or more");
        if (i > 0 && !(time > keys[i - 1].time))
            return wrong("its time must be later than that of the previous keyframe");
        for (const double number : {pose.target.x, pose.target.y, pose.target.z, pose.yaw})
            if (!std::isfinite(number)) return wrong("a number is not finite");
        if (!(pose.distance > 0) || !std::isfinite(pose.distance)) return wrong("its distance must be above 0");
        if (!(std::abs(pose.pitch) <= std::numbers::pi / 2)) return wrong("its pitch must be within -π/2 to π/2");
        if (!(pose.fov > 0 && pose.fov < std::numbers::pi)) return wrong("its field of view must be within 0 to π");
    }
    if (loop && (!(closing > 0) || !std::isfinite(closing)))
        return fmt::format("camera path: closing the loop must take more than 0 s, not {}", closing);
    return std::nullopt;
}

}  // namespace orrery
