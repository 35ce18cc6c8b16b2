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
#include "core/bodies/body_state.hpp"
#include "core/simulation/simulation.hpp"

namespace orrery {

/// Options for HDF5 files of a series; see hdf5::GadgetOutput.
struct SeriesOutput {
    int compress = 0;
    bool single = false;
    bool accelerations = false;  ///< accelerations of the body copies
    bool potentials = false;     ///< potentials of the body copies
};

bool is_hdf5_snapshot(const std::filesystem::path& path);  ///< by extension; throws Error{kUsage} if unknown

/// Writes numbered snapshots one by one in a background thread. The destructor writes those still waiting.
class SeriesWriter {
public:
    struct Due {
        std::int64_t number;
        double time;
        std::shared_ptr<const BodyCopy> bodies;
        std::shared_ptr<const Bodies> labels;  ///< null: those of the scene
        Gravity gravity;                       ///< present value
        double dt;                             ///< present value
    };
    /// `scene`: all constant data. The thread calls `goes_on` with the first failure; its result decides whether later
    /// snapshots are written.
    SeriesWriter(std::vector<std::string> patterns, const SeriesOutput& how, Scene scene,
                 std::function<bool(const Error&)> goes_on);
    SeriesWriter(const SeriesWriter&) = delete;
    SeriesWriter& operator=(const SeriesWriter&) = delete;

    void add(Due due);                     ///< waits for room()
    bool room() const;                     ///< fewer than kMostWaiting are waiting
    void settle() const;                   ///< waits until idle()
    bool idle() const;                     ///< all snapshots are on disk
    std::uint64_t written() const;         ///< number of files
    std::string last() const;              ///< path of the last file; empty: none yet
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

    mutable std::mutex mutex_;  // guards the members below
    mutable std::condition_variable_any changed_;
    std::deque<Due> waiting_;
    bool writing_ = false, over_ = false;
    std::uint64_t written_ = 0;
    std::string last_;
    std::optional<Error> refused_;
    std::jthread thread_;  // last member: it uses the others
};

}  // namespace orrery
