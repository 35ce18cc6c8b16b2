// SPDX-License-Identifier: MIT
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "tests/app/window/child.hpp"

namespace orrery::test {

/// The program xdotool, started once and fed line by line: starting it for each key takes longer than the key, and the
/// window draws meanwhile.
class Xdotool {
public:
    explicit Xdotool(const std::string& display);
    ~Xdotool();
    Xdotool(const Xdotool&) = delete;
    Xdotool& operator=(const Xdotool&) = delete;

    /// Returns when the X server has processed it; throws std::runtime_error if that takes longer than patience().
    void act(const std::vector<std::string>& words);

private:
    std::string answer() const;
    int line_ = -1;  // socket for its stdin and stdout
    std::unique_ptr<Child> program_;
};

}  // namespace orrery::test
