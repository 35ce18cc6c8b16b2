// SPDX-License-Identifier: MIT
#pragma once
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/base/pool.hpp"
#include "core/bodies/bodies.hpp"
#include "core/bodies/frame.hpp"
#include "core/cloud/cloud_cut.hpp"
#include "core/cloud/cloud_file.hpp"
#include "core/cloud/cloud_status.hpp"

namespace orrery {

/// A cloud as it is seen: reads the cells that a picture needs, those with the widest spacing first, on a thread of its
/// own, and keeps what it has read within a budget of memory. All other members belong to one thread.
class CloudStream {
public:
    static std::size_t usual_budget();  ///< bytes: a quarter of the memory that is available

    /// Reads the root's sample. Throws as CloudFile does.
    explicit CloudStream(const std::filesystem::path& path, std::size_t budget = usual_budget());
    CloudStream(const CloudStream&) = delete;
    CloudStream& operator=(const CloudStream&) = delete;

    /// The root's sample as bodies, each with the mass that it stands for: what is known of the cloud without a sight.
    Scene scene() const;

    void look(const CloudSight& sight);  ///< from now on
    /// Waits until all is read that the sight wants. Throws Error if that fails.
    void wait();
    bool changed() const;  ///< fill() would show something else than last time, or there is a remark
    bool busy() const;     ///< something is being read, for the picture or for one that may come
    /// The bodies of the present cut, in place of what the frame had. Null masses where each stands for itself alone.
    void fill(Frame& frame);
    CloudStatus status() const;
    /// What has been found of the file since the last call, one line; empty: nothing.
    std::string remark();

private:
    /// A cell's sample: first those that lie in nodes above, in the order that they have there, then its own in a
    /// random one. So the first ones are a sample too.
    struct Part {
        CloudColumns bodies;
        double mass = 0;         // of them
        std::uint64_t used = 0;  // when
    };
    struct Shown {
        std::uint32_t node, count;  // of bodies, the first ones of the part
        std::shared_ptr<const Part> part;
    };
    using Picture = std::vector<Shown>;

    void run(const std::stop_token& stop);
    bool read_more(const CloudSight& sight);  ///< false: there is nothing to read
    void load(const std::vector<std::uint32_t>& nodes);
    std::shared_ptr<Part> made(std::uint32_t node, const Part* parent) const;
    void show(CloudCut cut, const CloudSight& sight);
    void drop();
    std::shared_ptr<const std::vector<FrameBlock>> blocks(const Picture& picture, const CloudSight& sight,
                                                          bool with_lights);
    void color(const CloudColumns& bodies, ColorBy by, std::span<Vec4f> to) const;
    void shine(const Shown& shown, double power, double scale, std::span<float> lights) const;
    double light_scale(float power) const;
    std::uint64_t most_bodies() const;

    CloudFile file_;
    std::size_t budget_;
    std::vector<std::uint32_t> parents_;
    Pool pool_{0, true};
    std::unordered_map<std::uint32_t, std::shared_ptr<Part>> parts_;  // of the thread
    std::unordered_set<std::uint32_t> broken_;  // could not be read; the cells above them are shown
    std::size_t bytes_ = 0;
    std::uint64_t now_ = 0;

    std::shared_ptr<const Part> root_;
    std::unordered_map<std::uint64_t, std::uint64_t> stamps_;  // of cells and counts, as long as they look alike
    CloudSight filled_as_;                                     // when they were made
    bool lights_filled_ = false;
    FrameExtent extent_;  // of the last colour
    std::optional<ColorBy> extent_by_;

    mutable std::mutex mutex_;  // guards what follows
    mutable std::condition_variable_any changed_;
    CloudSight sight_;
    bool sight_new_ = false, idle_ = true, complete_ = true;
    std::shared_ptr<const Picture> picture_;
    CloudCut cut_;     // of the picture
    CloudSight seen_;  // likewise
    std::uint64_t serial_ = 0, filled_ = 0;
    std::size_t resident_ = 0;
    std::string remark_, failed_;

    std::jthread thread_;  // last: it uses the rest
};

}  // namespace orrery
