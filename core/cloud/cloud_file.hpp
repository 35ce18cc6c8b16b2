// SPDX-License-Identifier: MIT
#pragma once
#include <filesystem>
#include <vector>

#include "core/bodies/bodies.hpp"
#include "core/cloud/cloud_format.hpp"
#include "core/formats/input_file.hpp"

namespace orrery {

/// True if the file begins like a cloud; false if it does not exist.
bool is_cloud(const std::filesystem::path& path);

/// A cloud file, open for reading. Everything read is checked; errors are Error{kUsage} naming the file and the byte.
class CloudFile {
public:
    explicit CloudFile(std::filesystem::path path);  ///< reads the table of nodes, but no bodies

    const std::filesystem::path& path() const { return file_.path(); }
    const CloudAbout& about() const { return about_; }
    const std::vector<CloudNode>& nodes() const { return nodes_; }  ///< the root first, never empty

    /// The bodies stored in a node. Thread-safe.
    CloudColumns read(std::uint32_t node) const;
    double mass_of(const CloudColumns& bodies, std::size_t index) const {
        return bodies.masses.empty() ? about_.mass_of_each : static_cast<double>(bodies.masses[index]);
    }

private:
    void read_about();
    void read_nodes();
    void check(const CloudNode& node, std::uint32_t index, std::uint64_t next_child) const;
    [[noreturn]] void refuse(const std::string& what) const;

    InputFile file_;
    CloudAbout about_;
    std::vector<CloudNode> nodes_;
};

}  // namespace orrery
