// SPDX-License-Identifier: MIT
#include "core/cloud/cloud_sources.hpp"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "core/base/error.hpp"
#include "core/formats/formats.hpp"
#include "core/formats/snapshot_names.hpp"

namespace orrery {
namespace {

class SceneSource final : public CloudSource {
public:
    explicit SceneSource(Scene scene) : scene_{std::move(scene)} {}
    std::string name() const override { return scene_.label; }
    void read(const Take& take) override { take(scene_.bodies); }
    const Scene& about() const override { return scene_; }

private:
    Scene scene_;
};

class SnapshotSource final : public CloudSource {
public:
    explicit SnapshotSource(std::vector<std::string> snapshots) : snapshots_{std::move(snapshots)} {}
    std::string name() const override { return snapshots_[at_]; }
    /// Checks the files' versions: writing a cloud takes several passes, during which files may change.
    void read(const Take& take) override {
        for (at_ = 0; at_ < snapshots_.size(); ++at_) {
            if (at_ == versions_.size()) versions_.push_back(versions_of(snapshots_[at_]));
            require_unchanged();
            Scene scene = read_snapshot_in_parts(snapshots_[at_], take);
            require_unchanged();
            if (!about_) about_ = std::move(scene);
        }
        at_ = 0;
    }
    const Scene& about() const override { return *about_; }

private:
    void require_unchanged() const {
        if (versions_of(snapshots_[at_]) != versions_[at_])
            usage_error(fmt::format("{}: changed while it was read; no cloud is written", snapshots_[at_]));
    }

    std::vector<std::string> snapshots_;
    std::vector<std::vector<FileVersion>> versions_;  // of each snapshot, before the first pass
    std::size_t at_ = 0;
    std::optional<Scene> about_;
};

}  // namespace

std::unique_ptr<CloudSource> cloud_source(Scene scene) { return std::make_unique<SceneSource>(std::move(scene)); }

std::unique_ptr<CloudSource> cloud_source(const std::vector<std::string>& snapshots) {
    return std::make_unique<SnapshotSource>(snapshots);
}

}  // namespace orrery
