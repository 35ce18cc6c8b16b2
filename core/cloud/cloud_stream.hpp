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
#include <string_view>
#include <thread>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/base/pool.hpp"
#include "core/bodies/bodies.hpp"
#include "core/bodies/frame.hpp"
#include "core/cloud/cloud_cut.hpp"
#include "core/cloud/cloud_file.hpp"

namespace orrery {

/// Statistics of a cloud that is shown in place of a simulation.
struct CloudStatus {
    bool on = false;
    std::uint64_t bodies = 0;      ///< in the file
    std::uint64_t shown = 0;       ///< drawn
    std::uint64_t stands_for = 0;  ///< bodies represented by the drawn ones: all in the cells in the frame
    double most = 1;               ///< most bodies represented by one that is drawn
    double spacing = 0;            ///< as in CloudCut; 0 if all bodies in the frame are drawn
    bool reading = false;          ///< finer cells are still being read
    bool full = false;             ///< refinement stopped at the limit on bodies
    std::size_t cells = 0;         ///< in the frame
    std::size_t memory = 0;        ///< bytes of the cells in memory
    friend bool operator==(const CloudStatus&, const CloudStatus&) = default;
};

/// A cell's sample: first the bodies stored in ancestors, in their order there, then its own in a random order. So its
/// first n bodies are a sample too.
struct CloudPart {
    CloudColumns bodies;
    double mass = 0;         ///< of the sample
    std::uint64_t used = 0;  ///< when it was last used
};

/// The drawn bodies of a cell: the first ones of its sample.
struct CloudShown {
    std::uint32_t node, count;
    std::shared_ptr<const CloudPart> part;
};
using CloudPicture = std::vector<CloudShown>;

/// The samples of the cells that are in memory, within a budget. For one thread, except file().
class CloudCells {
public:
    /// Reads the root's sample. Throws as CloudFile does.
    CloudCells(const std::filesystem::path& path, std::size_t budget, Pool& pool);

    const CloudFile& file() const { return file_; }
    bool contains(std::uint32_t node) const { return parts_.contains(node); }
    bool is_broken(std::uint32_t node) const { return broken_.contains(node); }
    std::shared_ptr<const CloudPart> at(std::uint32_t node) const { return parts_.at(node); }
    std::size_t bytes() const { return bytes_; }
    bool has_room() const { return bytes_ <= budget_ / 10 * 8; }  ///< for reading ahead
    /// The most bodies that fit into the budget together with the cells above them.
    std::uint64_t most_bodies() const;
    /// Marks these cells and the root as used, and frees the least recently used ones until the rest fits into the
    /// budget.
    void use(const std::vector<std::uint32_t>& nodes);
    /// Reads these cells. Returns the last error, empty if all were read; cells that cannot be read are broken from
    /// then on. Throws Error if the root cannot be read.
    std::string load(const std::vector<std::uint32_t>& nodes, Pool& pool);

private:
    std::shared_ptr<CloudPart> made(std::uint32_t node, const CloudPart* parent) const;

    CloudFile file_;
    std::size_t budget_;
    std::vector<std::uint32_t> parents_;
    std::unordered_map<std::uint32_t, std::shared_ptr<CloudPart>> parts_;
    std::unordered_set<std::uint32_t> broken_;  // unreadable; the cells above them are shown instead
    std::size_t bytes_ = 0;
    std::uint64_t now_ = 0;
};

/// Makes frames of the drawn bodies of a cloud. For one thread.
class CloudPainter {
public:
    CloudPainter(const CloudFile& file, std::shared_ptr<const CloudPart> root) : file_{file}, root_{std::move(root)} {}
    const CloudPart& root() const { return *root_; }
    void show_first(std::string field) { first_field_ = std::move(field); }
    /// Replaces the frame's bodies. Masses are null if all are drawn with equal light.
    void fill(Frame& frame, const CloudPicture& picture, const ViewRegion& region, Pool& pool);

private:
    std::shared_ptr<const std::vector<FrameBlock>> blocks(const CloudPicture& picture, const ViewRegion& region,
                                                          bool with_lights);
    void color(const CloudColumns& bodies, const ViewRegion& region, std::span<Vec4f> to) const;
    const std::vector<float>* column(const CloudColumns& bodies, const ViewRegion& region) const;
    void measure_extent(const ViewRegion& region);
    std::string why_no_color(const ViewRegion& region) const;
    void shine(const CloudShown& shown, double power, double scale, std::span<float> lights) const;
    double light_scale(float power) const;

    const CloudFile& file_;
    std::shared_ptr<const CloudPart> root_;
    /// By cell and count; cleared when the appearance of bodies changes.
    std::unordered_map<std::uint64_t, std::uint64_t> stamps_;
    ViewRegion filled_as_;  // the view they were made for
    bool lights_filled_ = false;
    FrameExtent extent_;  // of the last colour
    std::optional<ColorBy> extent_by_;
    std::string extent_field_;
    std::string first_field_;  // shown unless the view names another
};

/// Streams a cloud for a view: reads the cells that the view needs, those with the widest spacing first, on a separate
/// thread, and keeps them within a memory budget. All other members belong to one thread.
class CloudStream {
public:
    static std::size_t default_budget();  ///< bytes: a quarter of the available memory

    /// Reads the root's sample. Throws as CloudFile does.
    /// `fields`: names of fields, comma-separated; the first one is shown unless the view names another. Throws
    /// Error{kUsage} for a field that the cloud does not have.
    explicit CloudStream(const std::filesystem::path& path, std::size_t budget = default_budget(),
                         std::string_view fields = {});
    CloudStream(const CloudStream&) = delete;
    CloudStream& operator=(const CloudStream&) = delete;

    /// The root's sample as bodies that share the mass of the whole cloud.
    Scene scene() const;

    void look(const ViewRegion& region);  ///< sets the view
    /// Waits until everything the view needs has been read. Throws Error if that fails.
    void wait();
    bool changed() const;  ///< true if fill() would give another frame than last time, or there is a remark
    bool busy() const;     ///< true while reading, for the view or ahead of it
    /// Replaces the frame's bodies by those of the current cut. Masses are null if all are drawn with equal light.
    void fill(Frame& frame);
    CloudStatus status() const;
    /// The last error found in the file since the last call, one line; empty if none.
    std::string remark();

private:
    void run(const std::stop_token& stop);
    bool read_more(const ViewRegion& region);  ///< false if there is nothing to read
    void load(const std::vector<std::uint32_t>& nodes);
    void show(CloudCut cut, const ViewRegion& region);

    Pool pool_{0, true};
    CloudCells cells_;  // of the reading thread
    CloudPainter painter_;

    mutable std::mutex mutex_;  // guards what follows
    mutable std::condition_variable_any changed_;
    ViewRegion region_;
    bool region_new_ = false, idle_ = true, complete_ = true;
    std::shared_ptr<const CloudPicture> picture_;
    CloudCut cut_;     // of `picture_`
    ViewRegion seen_;  // the view of `picture_`
    std::uint64_t serial_ = 0, filled_ = 0;
    std::size_t resident_ = 0;
    std::string remark_, failed_;

    std::jthread thread_;  // last: it uses the rest
};

}  // namespace orrery
