// SPDX-License-Identifier: MIT
#include "app/serve/serve_times.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace orrery {

ServeTimes::ServeTimes(const std::filesystem::path& path) {
    if (path.empty()) return;
    file_.emplace(path).require_writable();  // opened at the end, so that a killed program leaves no partial file
}

void ServeTimes::sent(const EncodedPicture& picture, Clock::time_point now) {
    const PictureCosts& costs = picture.costs;
    const std::lock_guard lock{mutex_};
    if (rows_.size() == kMost) return;
    rows_.push_back({seconds_of(now - start_), costs.draw, costs.read, costs.encode, seconds_of(now - picture.made),
                     costs.step, picture.size(), costs.width, costs.height, picture.header.codec, picture.header.key});
}

double ServeTimes::median_ms(double Row::*part) const {
    std::vector<double> values;
    for (const Row& row : rows_) values.push_back(1e3 * (row.*part));
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::ranges::nth_element(values, middle);
    return *middle;
}

std::string ServeTimes::csv() const {
    std::string text = "seconds,step,codec,key,width,height,bytes,draw_ms,read_ms,encode_ms,send_ms\n";
    for (const Row& r : rows_)
        text += fmt::format("{:.6f},{},{},{},{},{},{},{:.3f},{:.3f},{:.3f},{:.3f}\n", r.seconds, r.step,
                            r.codec == PictureCodec::kH264 ? "h264" : "jpeg", r.key ? 1 : 0, r.width, r.height, r.bytes,
                            1e3 * r.draw, 1e3 * r.read, 1e3 * r.encode, 1e3 * r.send);
    return text;
}

std::string ServeTimes::finish() {
    const std::lock_guard lock{mutex_};
    if (file_) {
        OutputFile file{file_->asked()};
        file.write(csv());
        file.commit();
    }
    if (rows_.size() < 2) return {};
    const double seconds = rows_.back().seconds - rows_.front().seconds;
    std::int64_t steps = 0;  // steps restart at 0 with another scene
    for (std::size_t i = 1; i < rows_.size(); ++i)
        steps += std::max<std::int64_t>(0, rows_[i].step - rows_[i - 1].step);
    const double draw = median_ms(&Row::draw), read = median_ms(&Row::read), encode = median_ms(&Row::encode),
                 send = median_ms(&Row::send);
    return fmt::format(
        "{} frames in {:.1f} s, {:.1f} per second; a frame takes {:.1f} ms: draw {:.1f}, read back {:.1f}, encode "
        "{:.1f}, send {:.1f}; {:.1f} steps per second",
        rows_.size(), seconds, static_cast<double>(rows_.size() - 1) / seconds, draw + read + encode + send, draw, read,
        encode, send, static_cast<double>(steps) / seconds);
}

}  // namespace orrery
