// SPDX-License-Identifier: MIT
// Makes every call of the CUDA driver fail, one at a time: allocations, copies, launches, waits, creation of objects,
// sharing with OpenGL. The program must either recover and write the same bytes, or report the failure in one line and
// leave the old file intact.
#include <dlfcn.h>
#include <link.h>

#include <cstdio>
#include <map>

#include "tests/app/commands/process.hpp"
#include "tests/support/needs_device.hpp"
#include "tests/support/runs_long.hpp"

namespace orrery::test {
namespace {

struct CudaCase {
    std::string name;
    std::vector<std::string> arguments;
    std::string output;  ///< has the same bytes in every run
};

void PrintTo(const CudaCase& c, std::ostream* out) { *out << c.name; }

std::vector<CudaCase> cuda_cases() {
    std::vector<CudaCase> cases;
    for (const char* engine : {"direct", "half", "tree", "triplet", "naive"}) {
        const std::string name = engine;
        std::vector<std::string> arguments{"run",
                                           name == "triplet" ? "argon-cluster" : "plummer",
                                           "--bodies",
                                           "600",
                                           "--backend",
                                           "cuda",
                                           "--engine",
                                           name,
                                           "--deterministic",
                                           "--steps",
                                           "4",
                                           "-o",
                                           "end.csv"};
        cases.push_back({name, std::move(arguments), "end.csv"});
    }
    cases.push_back({"hermite",
                     {"run", "plummer", "--bodies", "300", "--backend", "cuda", "--engine", "direct", "--precision",
                      "double", "--integrator", "hermite4-block", "--steps", "4", "-o", "end.csv"},
                     "end.csv"});
    cases.push_back({"pictures",
                     {"record", "plummer", "--bodies", "6000", "--backend", "cuda", "--engine", "direct", "--frames",
                      "3", "--width", "128", "--height", "96", "-o", "p_%d.png"},
                     "p_2.png"});
    cases.push_back({"laboratory", {"lab", "--experiment", "dummy", "--bodies", "1024", "--backend", "cuda"}, ""});
    return cases;
}

/// Library search path that begins with the folder of the failing driver; driver() returns the path of the real one.
std::string folders() {
    const char* before = std::getenv("LD_LIBRARY_PATH");
    return ORRERY_FAILING_CUDA + (before ? ':' + std::string{before} : "");
}
std::string driver() {
    struct link_map* map = nullptr;
    void* const library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    return library && dlinfo(library, RTLD_DI_LINKMAP, &map) == 0 ? map->l_name : "";
}

class EveryFailingCudaCall : public NeedsDevice<CommandTest>, public testing::WithParamInterface<CudaCase> {};

TEST_P(EveryFailingCudaCall, IsReportedOrRecoveredFrom) {
    const auto& [name, arguments, output] = GetParam();
    const Finished sound = orrery(arguments);
    ASSERT_EQ(sound.code, 0) << sound.err;
    const std::string whole = output.empty() ? "" : content(path(output));
    const double growth = runs_long() ? 1.05 : 1.5;
    int failed = 0, reported = 0;
    for (const char* kind : {"allocate", "copy", "create", "launch", "map", "wait"}) {
        for (double number = 1;; number = number * growth + 1) {
            const std::string order = std::string{kind} + ' ' + std::to_string(static_cast<long>(number));
            std::filesystem::remove(path("mark"));
            if (!output.empty()) save(output, "old");
            const Finished finished = orrery(arguments, {.environment = {{"LD_LIBRARY_PATH", folders()},
                                                                         {"ORRERY_REAL_CUDA", driver()},
                                                                         {"ORRERY_FAIL_CUDA", order},
                                                                         {"ORRERY_FAIL_MARK", path("mark").string()}}});
            if (!std::filesystem::exists(path("mark"))) break;
            const std::string what = order + " (" + content(path("mark")) + ')';
            ++failed, reported += finished.code != 0;
            const std::string found = output.empty() ? "" : content(path(output));
            if (finished.code == 0) {
                EXPECT_TRUE(found == whole) << what << ": success, but " << output << " differs; " << finished.err;
            } else {
                EXPECT_EQ(finished.code, 3) << what << ": " << finished.err;
                EXPECT_EQ(finished.error_lines(), 1u) << what << ": " << finished.err;
                EXPECT_TRUE(output.empty() || found == "old" || found == whole)
                    << what << ": " << output << " is a partial file";
            }
        }
    }
    EXPECT_GT(failed, 10);
    EXPECT_GT(reported, 5);
    std::printf("%s: %d calls failed, %d of them reported\n", name.c_str(), failed, reported);
}

INSTANTIATE_TEST_SUITE_P(Commands, EveryFailingCudaCall, testing::ValuesIn(cuda_cases()),
                         [](const auto& instance) { return instance.param.name; });

}  // namespace
}  // namespace orrery::test
