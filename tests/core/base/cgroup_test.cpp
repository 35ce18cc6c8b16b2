// SPDX-License-Identifier: MIT
#include "core/base/memory.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include "tests/support/new_folder.hpp"

namespace orrery::test {
namespace {

constexpr std::uint64_t kMega = 1'000'000;

/// A fake /proc and /sys with the files of control groups.
class MemoryOfCgroup : public testing::Test {
protected:
    ~MemoryOfCgroup() override { std::filesystem::remove_all(root_); }
    void write(const std::string& path, const std::string& text) const {
        std::filesystem::create_directories((root_ / path).parent_path());
        std::ofstream{root_ / path} << text;
    }
    /// Writes the files of cgroup version 2.
    void group(const std::string& path, const std::string& most, std::uint64_t used, std::uint64_t inactive) const {
        const std::string folder = "sys/fs/cgroup/" + path;
        write(folder + "/memory.max", most + "\n");
        write(folder + "/memory.current", std::to_string(used) + "\n");
        write(folder + "/memory.stat", "anon 5\ninactive_file " + std::to_string(inactive) + "\nactive_file 7\n");
    }
    std::optional<std::uint64_t> left() const { return memory_left_in_cgroup(root_); }

private:
    std::filesystem::path root_ = new_folder();
};

TEST_F(MemoryOfCgroup, IsUnlimitedWithoutCgroups) { EXPECT_EQ(left(), std::nullopt); }

TEST_F(MemoryOfCgroup, ExcludesReclaimablePagesFromUsage) {
    write("proc/self/cgroup", "0::/\n");
    group("", "1000000000", 300 * kMega, 100 * kMega);
    EXPECT_EQ(left(), 800 * kMega);
    group("", "1000000000", 1200 * kMega, 0);
    EXPECT_EQ(left(), 0u) << "usage exceeds the limit";
    group("", "max", 300 * kMega, 0);
    EXPECT_EQ(left(), std::nullopt);
}

TEST_F(MemoryOfCgroup, IsMinimumOverAllAncestors) {
    write("proc/self/cgroup", "0::/batch/job 7/step\n");
    group("batch", "4000000000", 3900 * kMega, 0);
    group("batch/job 7", "2000000000", 500 * kMega, 0);
    group("batch/job 7/step", "max", 400 * kMega, 0);
    EXPECT_EQ(left(), 100 * kMega) << "other jobs have nearly filled the batch";
    group("batch", "max", 3900 * kMega, 0);
    EXPECT_EQ(left(), 1500 * kMega);
}

TEST_F(MemoryOfCgroup, FallsBackToTheRootForAHostOnlyPath) {
    write("proc/self/cgroup", "0::/docker/abc\n");
    group("", "1000000000", 200 * kMega, 0);
    EXPECT_EQ(left(), 800 * kMega);
}

TEST_F(MemoryOfCgroup, ReadsFilesOfVersionOne) {
    write("proc/self/cgroup", "5:cpu,cpuacct:/x\n4:memory:/job\n1:name=systemd:/x\n0::/x\n");
    const std::string all = "sys/fs/cgroup/memory/", job = all + "job/";
    write(all + "memory.limit_in_bytes", "9223372036854771712\n");
    write(all + "memory.usage_in_bytes", "5000000000\n");
    EXPECT_EQ(left(), std::nullopt);
    write(job + "memory.limit_in_bytes", "1000000000\n");
    write(job + "memory.usage_in_bytes", "700000000\n");
    write(job + "memory.stat", "inactive_file 1\ntotal_inactive_file 200000000\n");
    EXPECT_EQ(left(), 500 * kMega);
}

}  // namespace
}  // namespace orrery::test
