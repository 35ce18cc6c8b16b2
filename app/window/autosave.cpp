// SPDX-License-Identifier: MIT
#include "app/window/autosave.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <ctime>
#include <thread>

#include "core/base/error.hpp"
#include "core/simulation/checkpoint.hpp"

namespace orrery {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "autosave-", kSuffix = ".orrery", kLock = ".lock";
constexpr std::chrono::milliseconds kNap{5};
constexpr int kMostNaps = 2000;               // ten seconds
constexpr std::uint64_t kBytesPerBody = 128;  // at most: state in double, with masses, names left out

void remove_kept(const fs::path& path) {
    std::error_code ignored;
    fs::remove(path, ignored);
    fs::remove(path.string() + std::string{kLock}, ignored);
}

/// Held as long as the process lives that has it; empty: another process has it.
std::optional<Descriptor> locked(const fs::path& file) {
    try {
        return lock_output(file.string() + std::string{kLock});
    } catch (const Error&) {
        return std::nullopt;
    }
}

std::string kept_text(const fs::path& path) {
    struct stat found {};
    if (stat(path.c_str(), &found) != 0) return {};
    return fmt::format("saved on {:%d.%m.%Y at %H:%M}, {:.3g} MB", fmt::localtime(found.st_mtime),
                       static_cast<double>(found.st_size) / 1e6);
}

}  // namespace

Autosave::Autosave(WindowCore& core, fs::path folder, bool offers) : core_{core}, folder_{std::move(folder)} {
    if (folder_.empty()) return;
    if (offers) find_left();
    own_ = free_file();
}

/// Another process may have had this one's number.
fs::path Autosave::free_file() const {
    fs::path path;
    std::error_code unknown;
    for (int i = 0; path.empty() || fs::exists(path, unknown); ++i)
        path = folder_ / fmt::format("{}{}-{}{}", kPrefix, getpid(), i, kSuffix);
    return path;
}

/// Of several that were left the newest is offered, and the others go: they would only pile up.
void Autosave::find_left() {
    std::error_code problem;
    fs::file_time_type newest{};
    for (fs::directory_iterator entries{folder_, problem}; !problem && entries != fs::directory_iterator{};
         entries.increment(problem)) {
        const fs::path path = entries->path();
        const std::string name = path.filename().string();
        if (!name.starts_with(kPrefix) || !name.ends_with(kSuffix)) continue;
        std::optional<Descriptor> lock = locked(path);
        if (!lock) continue;  // its window lives
        const auto time = fs::last_write_time(path, problem);
        const bool newer = left_.empty() || time > newest;
        const fs::path old = newer ? left_ : path;
        if (!old.empty()) remove_kept(old);
        if (newer) left_ = path, newest = time, left_lock_ = std::move(lock);
    }
    if (!left_.empty()) core_.state.kept = {left_.string(), kept_text(left_)};
}

std::string Autosave::answer(KeptAnswer answer) {
    core_.state.kept = {};
    if (answer == KeptAnswer::kGoOn) return left_.string();
    remove_kept(left_);
    left_lock_.reset(), left_.clear();
    return {};
}

Autosave::Moment Autosave::now() const {
    const Status& status = core_.simulation.status();
    return {status.scene_serial, status.timeline.now.moment, status.edited};
}

bool Autosave::may_save() {
    const Status& status = core_.simulation.status();
    if (!core_.simulation.ready() || status.loading || status.series.on || status.cloud.on) return false;
    if (status.bodies * kBytesPerBody > kMostBytes) return false;
    const Moment present = now();
    return present != saved_ && (present.moment > 0 || present.edited);
}

void Autosave::update() {
    const double minutes = core_.state.autosave_minutes, seconds = core_.clock.seconds();
    if (own_.empty() || minutes <= 0) return;
    // As it was opened it can be opened again.
    if (core_.simulation.ready() && now().scene != begun_.scene) begun_ = saved_ = now();
    if (next_ == 0) next_ = seconds + 60 * minutes;
    if (seconds < next_ || !may_save()) return;
    next_ = seconds + 60 * minutes;
    try {
        require_checkpoints();
        if (!lock_) {
            std::error_code ignored;  // the lock tells what is wrong
            fs::create_directories(folder_, ignored);
            lock_ = lock_output(own_.string() + std::string{kLock});
        }
    } catch (const Error& error) {
        own_.clear();  // said once
        return core_.messages.notice(fmt::format("Nothing is saved by itself: {}", error.what()));
    }
    saved_ = now();
    asked_ = true;
    core_.simulation.send(SaveState{own_.string(), SaveState::By::kItself});
}

void Autosave::forget() {
    if (asked_) {
        core_.simulation.send(SaveState{{}, SaveState::By::kItself});
        for (int i = 0; i < kMostNaps && (!core_.simulation.settled() || core_.simulation.status().keeping); ++i) {
            std::this_thread::sleep_for(kNap);
            core_.simulation.poll();
        }
        remove_kept(own_);
    }
    if (!left_.empty() && core_.state.kept.path.empty()) remove_kept(left_);  // gone on with, and now closed properly
}

}  // namespace orrery
