// SPDX-License-Identifier: MIT
// Malicious HDF5 files: files that crash the library, and a library process that is killed at any moment. Each gives an
// Error in one line, and this process continues.
#include <fmt/format.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <random>
#include <thread>
#include <vector>

#include "core/base/memory.hpp"
#include "core/formats/formats.hpp"
#include "core/formats/hdf5_file.hpp"
#include "core/formats/hdf5_reader.hpp"
#include "core/presets/presets.hpp"
#include "core/simulation/checkpoint.hpp"
#include "tests/core/formats/scratch.hpp"
#include "tests/support/runs_long.hpp"

namespace orrery::test {
namespace {

using hdf5::Handle;
using hdf5::Writer;

/// Files of the corpus that made the library crash.
std::vector<std::filesystem::path> crashing_files(const char* format) {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator{std::filesystem::path{ORRERY_CORPUS} / format})
        if (entry.path().filename().string().starts_with("crash-")) files.push_back(entry.path());
    std::ranges::sort(files);
    return files;
}

TEST(UntrustedHdf5, FilesThatCrashTheLibraryAreRefused) {
    EXPECT_GE(crashing_files("gadget-hdf5").size(), 9u);
    for (const auto& file : crashing_files("gadget-hdf5"))
        expect_error([&] { read_snapshot(file); }, Blame::kUsage, file.string() + ": ");
}

/// Some crash only a process that has read other files before.
TEST(UntrustedHdf5, CheckpointsThatCrashTheLibraryAreValidOrRefused) {
    EXPECT_GE(crashing_files("checkpoint").size(), 6u);
    for (const auto& file : crashing_files("checkpoint")) {
        expect_error([&] { read_run(file); }, Blame::kUsage, file.string() + ": ");
        try {
            validate(read_snapshot(file).bodies, "what was read");
        } catch (const Error& error) {
            EXPECT_EQ(error.blame(), Blame::kUsage);
            EXPECT_THAT(error.what(), testing::StartsWith(file.string() + ": "));
        }
    }
}

class UntrustedHdf5Files : public Scratch {
protected:
    /// Writes a snapshot of one species with masses of 1, in which data sets are still missing.
    void header(const std::vector<std::int64_t>& bodies) const {
        Writer file{path("a.hdf5"), 0};
        file.group("Header");
        file.integers("Header", "NumPart_ThisFile", bodies);
        file.numbers("Header", "MassTable", std::vector<double>(6, 1.0));
        file.group("PartType1");
        file.commit();
    }

    /// Adds about this many bodies at rest in the origin, compressed in identical chunks. Returns the number of bodies.
    std::uint64_t packed_zeros(std::uint64_t bodies, std::uint64_t pieces) const {
        const hsize_t rows = bodies / pieces;
        header({0, static_cast<std::int64_t>(rows * pieces), 0, 0, 0, 0});
        const std::array<hsize_t, 2> dims{rows * pieces, 3}, piece{rows, 3};
        const Handle file{H5Fopen(path("a.hdf5").c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose};
        const Handle made{H5Pcreate(H5P_DATASET_CREATE), H5Pclose};
        H5Pset_chunk(made.id(), 2, piece.data());
        H5Pset_deflate(made.id(), 9);
        const Handle space{H5Screate_simple(2, dims.data(), nullptr), H5Sclose};
        const Handle set{H5Dcreate2(file.id(), "PartType1/Coordinates", H5T_IEEE_F64LE, space.id(), H5P_DEFAULT,
                                    made.id(), H5P_DEFAULT),
                         H5Dclose};
        std::array<hsize_t, 2> corner{0, 0};
        const std::array<hsize_t, 2> one{1, 1};
        const Handle number{H5Screate_simple(2, one.data(), nullptr), H5Sclose};
        const double zero = 0;
        H5Sselect_hyperslab(space.id(), H5S_SELECT_SET, corner.data(), nullptr, one.data(), nullptr);
        EXPECT_GE(H5Dwrite(set.id(), H5T_NATIVE_DOUBLE, number.id(), space.id(), H5P_DEFAULT, &zero), 0);
        H5Fflush(file.id(), H5F_SCOPE_GLOBAL);
        hsize_t bytes = 0;
        std::uint32_t unfiltered = 0;
        EXPECT_GE(H5Dget_chunk_storage_size(set.id(), corner.data(), &bytes), 0);
        std::vector<std::byte> packed(bytes);
        EXPECT_GE(H5Dread_chunk(set.id(), H5P_DEFAULT, corner.data(), &unfiltered, packed.data()), 0);
        for (corner[0] = rows; corner[0] < dims[0]; corner[0] += rows)
            EXPECT_GE(H5Dwrite_chunk(set.id(), H5P_DEFAULT, unfiltered, corner.data(), bytes, packed.data()), 0);
        H5Lcreate_hard(file.id(), "PartType1/Coordinates", file.id(), "PartType1/Velocities", H5P_DEFAULT, H5P_DEFAULT);
        return dims[0];
    }
};

/// The child processes of the thread `parent` that still exist.
std::vector<pid_t> children_of(pid_t parent) {
    std::ifstream list{fmt::format("/proc/self/task/{}/children", parent)};
    return {std::istream_iterator<pid_t>{list}, {}};
}

TEST_F(UntrustedHdf5Files, ReaderProcessMayBeKilledAtAnyMoment) {
    write_snapshot(make_preset("plummer", {.bodies = 100'000}), path("a.hdf5"));
    using Clock = std::chrono::steady_clock;
    const auto start = Clock::now();
    read_snapshot(path("a.hdf5"));
    // Twice the time of one reading on this machine, so that some readers are killed at every stage and some complete.
    const std::chrono::duration<double> longest = 2 * (Clock::now() - start);
    const pid_t reader = gettid();
    std::jthread killer{[&](const std::stop_token& stop) {
        std::mt19937 random{1};
        std::uniform_real_distribution<double> part{0, 1};
        while (!stop.stop_requested()) {
            std::this_thread::sleep_for(part(random) * longest);
            for (const pid_t child : children_of(reader)) kill(child, SIGKILL);
        }
    }};
    int whole = 0, killed = 0;
    const auto end = Clock::now() + std::chrono::seconds{60};
    while ((whole < 5 || killed < 20) && Clock::now() < end) {
        try {
            EXPECT_EQ(read_snapshot(path("a.hdf5")).bodies.size(), 100'000u);
            ++whole;
        } catch (const Error& error) {
            const std::string text = error.what();
            EXPECT_THAT(text, testing::HasSubstr("ended by signal 9"));
            EXPECT_EQ(text.find('\n'), std::string::npos);
            ++killed;
        }
    }
    EXPECT_GE(killed, 20);
    EXPECT_TRUE(children_of(reader).empty()) << "processes were left behind";
}

TEST_F(UntrustedHdf5Files, ReaderProcessIsConfined) {
    write_snapshot(make_preset("plummer", {.bodies = 100}), path("a.hdf5"));
    const hdf5::Reader file{path("a.hdf5")};
    const std::vector<pid_t> readers = children_of(gettid());
    ASSERT_EQ(readers.size(), 1u);
    const auto status = [&](const std::string& process) {
        std::ifstream text{"/proc/" + process + "/status"};
        return std::string{std::istreambuf_iterator<char>{text}, {}};
    };
    if (status("self").find("Seccomp:") == std::string::npos) GTEST_SKIP() << "this kernel has no seccomp";
    EXPECT_THAT(status(std::to_string(readers[0])), testing::HasSubstr("Seccomp:\t2"));
    EXPECT_THAT(status(std::to_string(readers[0])), testing::HasSubstr("NoNewPrivs:\t1"));
}

TEST_F(UntrustedHdf5Files, AFileThatExceedsTheMemoryLimitIsRefused) {
#ifdef __SANITIZE_THREAD__
    GTEST_SKIP() << "the sanitizer's memory use ends the reader at the same limit with another message";
#endif
    packed_zeros(11'500'000, 1);  // a chunk of 276 MB
    EXPECT_LT(std::filesystem::file_size(path("a.hdf5")), 2'000'000u);
    expect_error([&] { read_snapshot(path("a.hdf5")); }, Blame::kUsage, "a.hdf5: ", "PartType1/Coordinates");
}

TEST_F(UntrustedHdf5Files, BodiesBeyondAvailableMemoryAreRefusedBeforeReading) {
    const std::uint64_t available = available_memory();
    if (available == 0 || available > 200'000'000'000) GTEST_SKIP() << "the file would be large";
    packed_zeros(available / sizeof(Vec4d), 4096);
    EXPECT_LT(std::filesystem::file_size(path("a.hdf5")), available / 1000);
    expect_error([&] { read_snapshot(path("a.hdf5")); }, Blame::kEnvironment, "a.hdf5 with ", "needs ", " available");
}

/// The reader's time limit follows from the number of values, not from the size of the file.
TEST_F(UntrustedHdf5Files, HighlyCompressedBodiesAreRead) {
    if (!runs_long()) GTEST_SKIP() << "takes a minute and 12 GB; set ORRERY_LONG=1";
    if (available_memory() < 14'000'000'000) GTEST_SKIP() << "needs 12 GB of memory";
    const std::uint64_t bodies = packed_zeros(160'000'000, 4096);
    EXPECT_LT(std::filesystem::file_size(path("a.hdf5")), 5'000'000u);
    EXPECT_EQ(read_snapshot(path("a.hdf5")).bodies.size(), bodies);
}

TEST_F(UntrustedHdf5Files, DataBeyondTheEndOfTheFileIsRefusedBeforeReading) {
    constexpr std::uint64_t rows = 1'000'000, kEndInHead = 40;
    header({0, rows, 0, 0, 0, 0});
    haddr_t begin = 0;
    {
        const std::array<hsize_t, 2> dims{rows, 3};
        const Handle file{H5Fopen(path("a.hdf5").c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose};
        const Handle made{H5Pcreate(H5P_DATASET_CREATE), H5Pclose};
        const Handle space{H5Screate_simple(2, dims.data(), nullptr), H5Sclose};
        H5Pset_alloc_time(made.id(), H5D_ALLOC_TIME_EARLY);
        H5Pset_fill_time(made.id(), H5D_FILL_TIME_NEVER);
        const Handle set{H5Dcreate2(file.id(), "PartType1/Coordinates", H5T_IEEE_F64LE, space.id(), H5P_DEFAULT,
                                    made.id(), H5P_DEFAULT),
                         H5Dclose};
        H5Lcreate_hard(file.id(), "PartType1/Coordinates", file.id(), "PartType1/Velocities", H5P_DEFAULT, H5P_DEFAULT);
        begin = H5Dget_offset(set.id());
    }
    ASSERT_EQ(std::filesystem::file_size(path("a.hdf5")), begin + rows * sizeof(Vec3d))
        << "the numbers must be last in the file";
    std::filesystem::resize_file(path("a.hdf5"), begin);
    std::fstream head{path("a.hdf5"), std::ios::binary | std::ios::in | std::ios::out};
    head.seekp(kEndInHead).write(reinterpret_cast<const char*>(&begin), sizeof begin);
    head.close();
    expect_error([&] { read_snapshot(path("a.hdf5")); }, Blame::kUsage,
                 "a.hdf5: ", H5_VERSION_GE(1, 14, 0) ? "damaged or truncated" : "truncated: 24000000 bytes");
}

/// Writes a valid snapshot and replaces one data set by that of make(file, name).
class ReplacedColumn : public Scratch {
protected:
    template <class Make>
    std::filesystem::path replaced(const char* name, Make make) const {
        write_snapshot(make_preset("plummer", {.bodies = kBodies}), path("a.hdf5"));
        const Handle file{H5Fopen(path("a.hdf5").c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose};
        H5Ldelete(file.id(), name, H5P_DEFAULT);
        EXPECT_GE(make(file.id(), name), 0);
        return path("a.hdf5");
    }
    template <class Make>
    void refuses(const char* name, const char* why, Make make) const {
        const auto file = replaced(name, make);
        expect_error([&] { read_snapshot(file); }, Blame::kUsage, file.string() + ": ", name, why);
    }
    /// Creates a column of `type` with the creation properties `made`.
    static herr_t create(hid_t file, const char* name, hid_t type, hid_t made) {
        const hsize_t rows = kBodies;
        const Handle space{H5Screate_simple(1, &rows, nullptr), H5Sclose};
        const Handle set{H5Dcreate2(file, name, type, space.id(), H5P_DEFAULT, made, H5P_DEFAULT), H5Dclose};
        return set ? 0 : -1;
    }
    static constexpr hsize_t kBodies = 64;
    static constexpr const char* kIds = "PartType1/ParticleIDs";
};

TEST_F(ReplacedColumn, DataInOtherFilesIsNotRead) {
    const std::string secret = save("secret", std::string(8 * kBodies, 'x'));
    refuses(kIds, "in another file", [&](hid_t file, const char* name) {
        const Handle made{H5Pcreate(H5P_DATASET_CREATE), H5Pclose};
        H5Pset_external(made.id(), secret.c_str(), 0, 8 * kBodies);
        return create(file, name, H5T_STD_U64LE, made.id());
    });
    write_snapshot(make_preset("plummer", {.bodies = kBodies}), path("other.hdf5"));
    refuses(kIds, "in another file", [&](hid_t file, const char* name) {
        const Handle made{H5Pcreate(H5P_DATASET_CREATE), H5Pclose};
        const hsize_t rows = kBodies;
        const Handle space{H5Screate_simple(1, &rows, nullptr), H5Sclose};
        H5Pset_virtual(made.id(), space.id(), path("other.hdf5").c_str(), kIds, space.id());
        return create(file, name, H5T_STD_U64LE, made.id());
    });
}

TEST_F(ReplacedColumn, ExternalLinksAreNotFollowed) {
    write_snapshot(make_preset("plummer", {.bodies = kBodies}), path("other.hdf5"));
    ASSERT_EQ(mkfifo(path("fifo").c_str(), 0600), 0);
    for (const char* target : {"other.hdf5", "fifo"}) {
        const auto external = [&](hid_t file, const char* name) {
            return H5Lcreate_external(path(target).c_str(), name, file, name, H5P_DEFAULT, H5P_DEFAULT);
        };
        for (const char* name : {kIds, "PartType1/Coordinates", "PartType1", "Header"})
            refuses(name, "an external link", external);
        refuses("PartType1/Coordinates", "is missing", [&](hid_t file, const char* name) {
            external(file, "detour");
            return H5Lcreate_soft("/detour", file, name, H5P_DEFAULT, H5P_DEFAULT);
        });
    }
    H5L_class_t own{};
    own.version = H5L_LINK_CLASS_T_VERS, own.id = static_cast<H5L_type_t>(200);
    own.comment = "", own.trav_func = [](const char*, hid_t, const void*, size_t, hid_t, hid_t) -> hid_t { return -1; };
    ASSERT_GE(H5Lregister(&own), 0);
    refuses(kIds, "an external link", [&](hid_t file, const char* name) {
        return H5Lcreate_ud(file, name, own.id, "x", 1, H5P_DEFAULT, H5P_DEFAULT);
    });
}

TEST_F(ReplacedColumn, LinksWithinTheFileAreFollowed) {
    const auto file = replaced("PartType1/Velocities", [](hid_t in, const char* name) {
        return H5Lcreate_soft("/PartType1/Coordinates", in, name, H5P_DEFAULT, H5P_DEFAULT);
    });
    const Bodies bodies = read_snapshot(file).bodies;
    EXPECT_EQ(bodies.velocity[7].x, bodies.position_mass[7].x);
}

TEST_F(ReplacedColumn, NonNumericTypesAreRefused) {
    refuses(kIds, "expected whole numbers", [](hid_t file, const char* name) {
        const Handle text{H5Tcopy(H5T_C_S1), H5Tclose};
        H5Tset_size(text.id(), 8);
        return create(file, name, text.id(), H5P_DEFAULT);
    });
    refuses(kIds, "numbers of an unsupported type", [](hid_t file, const char* name) {
        const Handle wide{H5Tcopy(H5T_STD_U64LE), H5Tclose};
        H5Tset_size(wide.id(), 12);
        return create(file, name, wide.id(), H5P_DEFAULT);
    });
}

/// Rows in chunks that were never written are not stored in the file.
TEST_F(ReplacedColumn, UnwrittenRowsAreNotReadAsZeros) {
    const auto half_of = [](hsize_t columns, hid_t type) {
        return [=](hid_t file, const char* name) {
            const Handle made{H5Pcreate(H5P_DATASET_CREATE), H5Pclose};
            const int rank = columns > 1 ? 2 : 1;
            const std::array<hsize_t, 2> rows{kBodies, columns}, piece{1, columns}, none{}, half{kBodies / 2, columns};
            H5Pset_chunk(made.id(), rank, piece.data());
            const Handle space{H5Screate_simple(rank, rows.data(), nullptr), H5Sclose};
            const Handle some{H5Screate_simple(rank, half.data(), nullptr), H5Sclose};
            const Handle set{H5Dcreate2(file, name, type, space.id(), H5P_DEFAULT, made.id(), H5P_DEFAULT), H5Dclose};
            H5Sselect_hyperslab(space.id(), H5S_SELECT_SET, none.data(), nullptr, half.data(), nullptr);
            const std::vector<std::uint64_t> zeros(kBodies * columns);
            return H5Dwrite(set.id(), type, some.id(), space.id(), H5P_DEFAULT, zeros.data());
        };
    };
    refuses(kIds, "truncated: 256 bytes for 64 × 1 numbers", half_of(1, H5T_NATIVE_UINT64));
    refuses("PartType1/Coordinates", "truncated: 768 bytes for 64 × 3 numbers", half_of(3, H5T_NATIVE_DOUBLE));
}

}  // namespace
}  // namespace orrery::test
