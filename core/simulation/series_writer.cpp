// SPDX-License-Identifier: MIT
#include "core/simulation/series_writer.hpp"

#include <fmt/format.h>

#include <utility>

#include "core/base/text.hpp"
#include "core/formats/formats.hpp"
#include "core/formats/hdf5_formats.hpp"
#include "core/simulation/checkpoint.hpp"

namespace orrery {

bool is_hdf5_snapshot(const std::filesystem::path& path) { return format_for(path).id == "gadget-hdf5"; }

SeriesWriter::SeriesWriter(std::vector<std::string> patterns, const SeriesOutput& how, Scene scene,
                           std::function<bool(const Error&)> goes_on)
    : patterns_{std::move(patterns)}, how_{how}, scene_{std::move(scene)}, goes_on_{std::move(goes_on)} {
    scene_.bodies.position_mass.clear(), scene_.bodies.velocity.clear();
    thread_ = std::jthread{[this](const std::stop_token& stop) { write_all(stop); }};
}

void SeriesWriter::add(Due due) {
    std::unique_lock lock{mutex_};
    changed_.wait(lock, [this] { return waiting_.size() < kMostWaiting; });
    if (over_) return;
    waiting_.push_back(std::move(due));
    changed_.notify_all();
}

bool SeriesWriter::room() const {
    const std::lock_guard lock{mutex_};
    return waiting_.size() < kMostWaiting;
}

void SeriesWriter::settle() const {
    std::unique_lock lock{mutex_};
    changed_.wait(lock, [this] { return waiting_.empty() && !writing_; });
}

bool SeriesWriter::idle() const {
    const std::lock_guard lock{mutex_};
    return waiting_.empty() && !writing_;
}

std::uint64_t SeriesWriter::written() const {
    const std::lock_guard lock{mutex_};
    return written_;
}

std::string SeriesWriter::last() const {
    const std::lock_guard lock{mutex_};
    return last_;
}

std::optional<Error> SeriesWriter::refused() const {
    const std::lock_guard lock{mutex_};
    return refused_;
}

void SeriesWriter::write_all(const std::stop_token& stop) {
    std::unique_lock lock{mutex_};
    for (;;) {
        changed_.wait(lock, stop, [this] { return !waiting_.empty(); });
        if (waiting_.empty()) return;  // stop requested and no work left
        const Due due = std::move(waiting_.front());
        waiting_.pop_front();
        writing_ = true;
        changed_.notify_all();
        lock.unlock();
        write(due);
        lock.lock();
        if (over_) waiting_.clear();
        writing_ = false;
        changed_.notify_all();
    }
}

void SeriesWriter::write(const Due& due) {
    try {
        Scene scene = scene_;
        scene.time = due.time, scene.gravity = due.gravity, scene.dt = due.dt;
        const BodyState state = due.bodies->state();
        Bodies moved = bodies_of(state);
        if (due.labels) scene.bodies = *due.labels;
        scene.bodies.position_mass = std::move(moved.position_mass);
        scene.bodies.velocity = std::move(moved.velocity);
        hdf5::GadgetOutput how{
            .compress = how_.compress, .single = how_.single, .accelerations = {}, .potentials = how_.potentials};
        if (how_.accelerations) how.accelerations = unpack<double>(state).acceleration;
        for (const std::string& pattern : patterns_) {
            const std::filesystem::path path = numbered(pattern, static_cast<std::uint64_t>(due.number));
            is_hdf5_snapshot(path) ? hdf5::write_gadget(scene, BodyStretches{scene.bodies}, path, how)
                                   : write_snapshot(scene, path);
            const std::lock_guard lock{mutex_};
            ++written_;
            last_ = path.string();
        }
    } catch (const Error& error) {
        refuse(error);
    } catch (const std::exception& error) {  // out of memory, or a file system error
        refuse({Blame::kEnvironment, fmt::format("snapshot {} of the series: {}", due.number, error.what())});
    }
}

void SeriesWriter::refuse(const Error& error) {
    if (refused_) return;  // written only by this thread
    const bool goes_on = goes_on_(error);
    const std::lock_guard lock{mutex_};
    refused_ = error;
    over_ = !goes_on;
}

}  // namespace orrery
