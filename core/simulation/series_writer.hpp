// SPDX-License-Identifier: MIT
#pragma once
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "core/base/error.hpp"
#include "core/bodies/body_copy.hpp"
#include "core/simulation/simulation.hpp"

namespace orrery {

/// How HDF5 files of a series are written, and what besides bodies; see hdf5::GadgetOutput.
struct SeriesOutput {
    int compress = 0;
    bool single = false;
    bool accelerations = false;  ///< those in the copies of the bodies
    bool potentials = false;     ///< likewise
};

bool is_hdf5_snapshot(const std::filesystem::path& path);  ///< by its name; throws Error{kUsage} for no known one

/// Numbered snapshots, written one after the other by a thread of their own. The destructor writes those that wait.
class SeriesWriter {
public:
    struct Due {
        std::int64_t number;
        double time;
        std::shared_ptr<const BodyCopy> bodies;
        std::shared_ptr<const Bodies> labels;  ///< null: those of the scene
        Gravity gravity;                       ///< as it is now
        double dt;                             ///< likewise
    };
    /// `scene`: all but what changes. `goes_on` is called by the thread with the first failure, and returns whether the
    /// later ones are written all the same.
    SeriesWriter(std::vector<std::string> patterns, const SeriesOutput& how, Scene scene,
                 std::function<bool(const Error&)> goes_on);
    SeriesWriter(const SeriesWriter&) = delete;
    SeriesWriter& operator=(const SeriesWriter&) = delete;

    void add(Due due);                     ///< waits for room()
    bool room() const;                     ///< at most two wait to be written
    void settle() const;                   ///< waits until idle()
    bool idle() const;                     ///< all that was due is on disk
    std::uint64_t written() const;         ///< files
    std::string last() const;              ///< path of the last of them; empty: none yet
    std::optional<Error> refused() const;  ///< the first failure

private:
    static constexpr std::size_t kMostWaiting = 2;

    void write_all(const std::stop_token& stop);
    void write(const Due& due);
    void refuse(const Error& error);

    std::vector<std::string> patterns_;
    SeriesOutput how_;
    Scene scene_;
    std::function<bool(const Error&)> goes_on_;

    mutable std::mutex mutex_;  // guards what follows
    mutable std::condition_variable_any changed_;
    std::deque<Due> waiting_;
    bool writing_ = false, over_ = false;
    std::uint64_t written_ = 0;
    std::string last_;
    std::optional<Error> refused_;
    std::jthread thread_;  // last: it uses the rest
};

}  // namespace orrery
