// SPDX-License-Identifier: MIT
#include "app/record/mp4_index.hpp"

#include <string>

namespace orrery {
namespace {

// "file:" prevents a colon in a name from being parsed as a protocol.
std::string url_of(const std::filesystem::path& path) { return "file:" + path.string(); }

/// An open input file.
class Input {
public:
    ~Input() { avformat_close_input(&format_); }
    Input() = default;
    Input(const Input&) = delete;
    Input& operator=(const Input&) = delete;
    int open(const std::filesystem::path& path) {
        const int status = avformat_open_input(&format_, url_of(path).c_str(), nullptr, nullptr);
        if (status < 0) return status;
        return format_->nb_streams == 1 ? 0 : AVERROR_INVALIDDATA;
    }
    AVFormatContext* operator->() const { return format_; }
    AVFormatContext* get() const { return format_; }

private:
    AVFormatContext* format_ = nullptr;
};

/// Copies all packets; the first frame gets time 0.
int copy_packets(const Input& in, AVFormatContext& out) {
    const LibavOwned<AVPacket> packet{av_packet_alloc()};
    const AVRational from = in->streams[0]->time_base, to = out.streams[0]->time_base;
    std::int64_t first = AV_NOPTS_VALUE;
    for (;;) {
        int status = av_read_frame(in.get(), packet.get());
        if (status == AVERROR_EOF) return 0;
        if (status < 0) return status;
        if (first == AV_NOPTS_VALUE) first = packet->pts;
        packet->pts -= first, packet->dts -= first;
        av_packet_rescale_ts(packet.get(), from, to);
        packet->stream_index = 0, packet->pos = -1;
        status = av_interleaved_write_frame(&out, packet.get());
        if (status < 0) return status;
        if (out.pb->error < 0) return out.pb->error;
    }
}

}  // namespace

int write_indexed_mp4(const std::filesystem::path& from, const std::filesystem::path& to, AVRational rate,
                      const std::function<void(AVStream&)>& describe) {
    Input in;
    int status = in.open(from);
    if (status < 0) return status;
    AVFormatContext* made = nullptr;
    status = avformat_alloc_output_context2(&made, nullptr, "mp4", url_of(to).c_str());
    if (status < 0) return status;
    const LibavOwned<AVFormatContext> out{made};
    AVStream* stream = avformat_new_stream(made, nullptr);
    if (!stream) return AVERROR(ENOMEM);
    // The encoder's parameters have headers with start codes, but the packets no longer do.
    status = avcodec_parameters_copy(stream->codecpar, in->streams[0]->codecpar);
    if (status < 0) return status;
    describe(*stream);
    stream->time_base = in->streams[0]->time_base;
    stream->avg_frame_rate = rate;
    status = avio_open(&made->pb, url_of(to).c_str(), AVIO_FLAG_WRITE);
    if (status < 0) return status;
    AVDictionary* options = nullptr;
    av_dict_set(&options, "movflags", "faststart", 0);
    status = avformat_write_header(made, &options);
    av_dict_free(&options);
    if (status < 0) return status;
    status = copy_packets(in, *made);
    const int ended = av_write_trailer(made);
    if (status >= 0) status = ended;
    avio_flush(made->pb);
    if (status >= 0) status = made->pb->error;
    const int closed = avio_closep(&made->pb);
    return status < 0 ? status : closed;
}

}  // namespace orrery
