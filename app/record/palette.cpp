// SPDX-License-Identifier: MIT
#include "app/record/palette.hpp"

extern "C" {
#include <libavfilter/avfilter.h>
#include <libavfilter/buffersink.h>
#include <libavfilter/buffersrc.h>
}

#include <fmt/format.h>

#include <cerrno>

#include "core/base/error.hpp"

namespace orrery {

struct PaletteFilter::Graph {
    AVFilterGraph* graph = avfilter_graph_alloc();
    AVFilterContext *source = nullptr, *sink = nullptr;

    Graph() = default;
    Graph(const Graph&) = delete;
    Graph& operator=(const Graph&) = delete;
    ~Graph() { avfilter_graph_free(&graph); }

    /// libavfilter's status.
    int build(int width, int height, int fps) {
        const std::string input = fmt::format("video_size={}x{}:pix_fmt={}:time_base=1/{}:pixel_aspect=1/1", width,
                                              height, static_cast<int>(AV_PIX_FMT_RGBA), fps);
        int status =
            avfilter_graph_create_filter(&source, avfilter_get_by_name("buffer"), "in", input.c_str(), nullptr, graph);
        if (status < 0) return status;
        status =
            avfilter_graph_create_filter(&sink, avfilter_get_by_name("buffersink"), "out", nullptr, nullptr, graph);
        if (status < 0) return status;
        AVFilterInOut* outputs = avfilter_inout_alloc();
        AVFilterInOut* inputs = avfilter_inout_alloc();
        *outputs = {av_strdup("in"), source, 0, nullptr};
        *inputs = {av_strdup("out"), sink, 0, nullptr};
        status = avfilter_graph_parse_ptr(graph,
                                          "[in]split[a][b];[a]palettegen=stats_mode=single:reserve_transparent=0[p];"
                                          "[b][p]paletteuse=new=1:dither=bayer:bayer_scale=4[out]",
                                          &inputs, &outputs, nullptr);
        avfilter_inout_free(&inputs);
        avfilter_inout_free(&outputs);
        return status < 0 ? status : avfilter_graph_config(graph, nullptr);
    }
};

PaletteFilter::PaletteFilter(const std::string& name, int width, int height, int fps)
    : name_{name}, graph_{std::make_unique<Graph>()} {
    if (graph_->build(width, height, fps) < 0)
        environment_error(fmt::format("{}: libavfilter cannot choose colours for {} × {} pixels", name, width, height));
}

PaletteFilter::~PaletteFilter() = default;

void PaletteFilter::push(AVFrame* picture) {
    if (av_buffersrc_add_frame_flags(graph_->source, picture, AV_BUFFERSRC_FLAG_KEEP_REF) < 0)
        environment_error(fmt::format("{}: libavfilter refused a frame", name_));
}

bool PaletteFilter::pull(AVFrame* out) {
    av_frame_unref(out);
    const int status = av_buffersink_get_frame(graph_->sink, out);
    if (status == AVERROR(EAGAIN) || status == AVERROR_EOF) return false;
    if (status < 0) environment_error(fmt::format("{}: libavfilter returned no frame", name_));
    return true;
}

}  // namespace orrery
