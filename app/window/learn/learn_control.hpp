// SPDX-License-Identifier: MIT
#pragma once
#include <string>

#include "app/window/feature.hpp"
#include "app/window/learn/learn_page.hpp"
#include "app/window/window_core.hpp"
#include "core/base/background_job.hpp"

namespace orrery {

/// The page Learn: reads the lessons, writes their starts, and marks the text of the page Kernel on a thread.
class LearnControl final : public Feature {
public:
    /// `elsewhere`: the user is at another machine, whose text is not run here and who writes no files here.
    LearnControl(WindowCore& core, bool elsewhere);

    void update() override;
    void apply(const UiRequests& requests) override;
    bool has_news() const override { return work_.busy(); }

private:
    /// A kernel to be marked.
    struct Attempt {
        Lesson lesson;
        std::string text, name;
    };
    struct News {
        LearnMarks marks;
        KernelFile file;        ///< the parsed text
        LessonVerdict verdict;  ///< complete if `marks.done` and there was no failure
    };
    using Work = BackgroundJob<Attempt, News>;

    LearnPage& page() { return core_.state.own.of<LearnPage>(); }
    void begin_lesson();
    void check();
    static void mark(const Work::Task& task);

    WindowCore& core_;
    bool elsewhere_;
    bool failed_ = false;  // the lessons cannot be read
    Work work_;
};

}  // namespace orrery
