//! Argument lists as they are, rates, sizes, and what ffprobe and ffmpeg say.

use filepress_wire::MediaType;

use super::arguments::{FfmpegCommand, OutputLimits, RateControl, Streams, VideoOptions};
use super::audio_codec::AudioCodec;
use super::bitrate::{AudioEncoding, AudioRequest, to_fill};
use super::filters::{PixelConversion, SizeConstraints, scaling};
use super::media_info::{Audio, Field, Labels, MediaInfo, Video};
use super::preset::Preset;
use super::progress::Progress;
use super::size::{Fit, Resize};
use super::tracks::{Track, Tracks};
use super::trim::Trim;
use super::video_codec::VideoCodec;
use super::{container, ffprobe, filters};

fn call(demuxer: &str, output: &str) -> FfmpegCommand<'static> {
    FfmpegCommand {
        demuxer: match demuxer {
            "mov" => "mov",
            "gif" => "gif",
            _ => "matroska",
        },
        input: "input",
        decoder: None,
        output: output.to_owned(),
        trim: None,
        strip_metadata: true,
        threads: 2,
        limits: OutputLimits {
            pixels: 100_000_000,
            frames: 1_000_000,
            seconds: 21_600.0,
            bytes: Some(4 << 30),
        },
    }
}

/// What every call begins with.
const OPEN: &str = "-nostdin -hide_banner -y -v error -nostats -stats_period 0.5 -progress pipe:1 -threads 2 \
    -max_pixels 100000000 -protocol_whitelist file,pipe -format_whitelist mov -f mov";
/// What every call that keeps no metadata ends with, but for its muxer.
const CLOSE: &str = "-map_metadata:g -1 -map_metadata:s -1 -fflags +bitexact -t 21600 -fs 4294967296 -dn \
    -max_muxing_queue_size 4096";

fn picture(codec: VideoCodec, rate: RateControl) -> VideoOptions {
    VideoOptions {
        codec,
        rate,
        preset: None,
        filters: "format=yuv420p".to_owned(),
        pixel_conversion: PixelConversion::default(),
        is_rgb: false,
        is_variable: false,
        color: None,
    }
}

fn sound(codec: AudioCodec) -> Tracks {
    let bitrates = codec.bitrates();
    let coding = AudioEncoding {
        codec,
        bitrate: bitrates.map(|_| 128_000),
        bitrates,
        sample_rate: None,
        channels: None,
        sample_format: None,
    };
    Tracks { audio: vec![Track { index: 0, coding, labels: Labels::default() }], ..Tracks::default() }
}

/// The default arguments of a type, between the input and the bounds.
fn defaults(media: MediaType) -> String {
    let container = container::of(media).expect("a container");
    let tracks = sound(container.audio);
    let streams = match container.video.first() {
        Some(codec) => {
            Streams::Video(Box::new(picture(*codec, RateControl::Quality(codec.default_crf()))), &tracks)
        }
        None => Streams::Audio(&tracks),
    };
    let line = call("mov", "output.x").mux(container, &streams).join(" ");
    let begin = format!("{OPEN} -i input ");
    let rest = line.strip_prefix(&begin).unwrap_or_else(|| panic!("{line}"));
    rest.replace(CLOSE, "…").replace(" -flags:v +bitexact", "").replace(" -flags:a +bitexact", "")
}

#[test]
fn every_type_has_its_encoders_and_its_muxer() {
    const VIDEO: &str = "-map 0:V:0 -vf format=yuv420p";
    const REST: &str = "-frames:v 1000000 -threads 2 -map 0:a:0";
    const X264: &str = "-c:v libx264 -preset medium -crf 23";
    const AAC: &str = "-c:a:0 aac -b:a:0 128000";
    const FAST: &str = "-movflags +faststart";
    let x264 = |rest: &str| {
        let rate = if rest.starts_with(FAST) { " -fps_mode:v vfr" } else { "" };
        format!("{VIDEO} {X264}{rate} {REST} {AAC} … {rest} output.x")
    };
    for (media, expected) in [
        (MediaType::Mp4, x264(&format!("{FAST} -f mp4"))),
        (MediaType::QuickTime, x264(&format!("{FAST} -f mov"))),
        (MediaType::M4v, x264(&format!("{FAST} -f ipod"))),
        (MediaType::F4v, x264(&format!("{FAST} -f f4v"))),
        (MediaType::Flv, x264("-f flv")),
        (MediaType::Matroska, x264("-f matroska")),
        (MediaType::MpegTs, x264("-f mpegts")),
        (
            MediaType::ThreeGpp,
            format!(
                "{VIDEO} -c:v libx264 -preset medium -profile:v baseline -level 3.0 -crf 23 -fps_mode:v vfr {REST} {AAC} … {FAST} -f 3gp output.x"
            ),
        ),
        (
            MediaType::Webm,
            format!(
                "{VIDEO} -c:v libvpx-vp9 -deadline good -cpu-used 4 -row-mt 1 -crf 33 -b:v 0 {REST} \
                 -c:a:0 libopus -b:a:0 128000 … -f webm output.x"
            ),
        ),
        (
            MediaType::Avi,
            format!(
                "{VIDEO} -c:v mpeg4 -vtag xvid -q:v 4.0 {REST} -c:a:0 libmp3lame -b:a:0 128000 … -f avi output.x"
            ),
        ),
        (
            MediaType::Wmv,
            format!("{VIDEO} -c:v wmv2 -q:v 4.0 {REST} -c:a:0 wmav2 -b:a:0 128000 … -f asf output.x"),
        ),
        (
            MediaType::Mpeg,
            format!(
                "{VIDEO} -c:v mpeg2video -maxrate 9000000 -bufsize 1835008 -q:v 4.0 {REST} \
                 -c:a:0 mp2 -b:a:0 128000 … -f mpeg output.x"
            ),
        ),
        (
            MediaType::Dvd,
            format!(
                "{VIDEO} -c:v mpeg2video -maxrate 9000000 -bufsize 1835008 -q:v 4.0 {REST} \
                 -c:a:0 ac3 -b:a:0 128000 … -packetsize 2048 -muxrate 10080000 -f dvd output.x"
            ),
        ),
        (
            MediaType::OggVideo,
            format!(
                "{VIDEO} -c:v libtheora -q:v 5.5 {REST} -c:a:0 libvorbis -b:a:0 128000 … -f ogg output.x"
            ),
        ),
        (MediaType::Mp3, "-map 0:a:0 -c:a:0 libmp3lame -b:a:0 128000 … -f mp3 output.x".to_owned()),
        (MediaType::Wav, "-map 0:a:0 -c:a:0 pcm_s16le … -f wav output.x".to_owned()),
        (MediaType::Aac, format!("-map 0:a:0 {AAC} … -f adts output.x")),
        (MediaType::OggAudio, "-map 0:a:0 -c:a:0 libvorbis -b:a:0 128000 … -f ogg output.x".to_owned()),
        (MediaType::Opus, "-map 0:a:0 -c:a:0 libopus -b:a:0 128000 … -f opus output.x".to_owned()),
        (MediaType::Flac, "-map 0:a:0 -c:a:0 flac … -f flac output.x".to_owned()),
        (MediaType::M4a, format!("-map 0:a:0 {AAC} … {FAST} -f ipod output.x")),
        (MediaType::Wma, "-map 0:a:0 -c:a:0 wmav2 -b:a:0 128000 … -f asf output.x".to_owned()),
    ] {
        assert_eq!(defaults(media), expected, "{media}");
    }
}

#[test]
fn what_is_asked_becomes_arguments() {
    let container = container::of(MediaType::Mp4).expect("a container");
    let line = |call: &FfmpegCommand<'_>, streams: &Streams| call.mux(container, streams).join(" ");
    let mut call = call("mov", "output.mp4");
    call.trim = Some(Trim { start: 1.5, end: Some(4.0) });
    call.strip_metadata = false;
    let fast = VideoOptions {
        preset: Some(Preset::Ultrafast),
        is_rgb: true,
        ..picture(VideoCodec::H265, RateControl::Quality(20))
    };
    assert_eq!(
        line(&call, &Streams::Video(Box::new(fast), &Tracks::default())),
        format!(
            "{OPEN} -ss 1.5 -i input -map 0:V:0 -vf format=yuv420p -c:v libx265 -preset ultrafast \
             -x265-params log-level=error -crf 20 -tag:v hvc1 -colorspace bt709 -color_primaries bt709 \
             -color_trc bt709 -color_range tv -metadata:s:v:0 alpha_mode= -fps_mode:v vfr -frames:v 1000000 -threads 2 -t 2.5 \
             -fs 4294967296 -dn \
             -max_muxing_queue_size 4096 -movflags +faststart -f mp4 output.mp4"
        )
    );
    let first = line(
        &call,
        &Streams::Video(
            Box::new(picture(VideoCodec::H264, RateControl::Pass(1, 50_000))),
            &Tracks::default(),
        ),
    );
    assert!(
        first.contains("-b:v 50000 -pass 1 -passlogfile pass") && first.ends_with("-f null -"),
        "{first}"
    );
    let second = line(
        &call,
        &Streams::Video(
            Box::new(picture(VideoCodec::H264, RateControl::Pass(2, 50_000))),
            &Tracks::default(),
        ),
    );
    assert!(second.contains("-pass 2") && second.ends_with("-f mp4 output.mp4"), "{second}");
    let copy = line(&call, &Streams::Copy { video: true, tracks: &sound(AudioCodec::Aac) });
    assert!(copy.contains("-map 0:V:0 -map 0:a:0 -c copy -t 2.5"), "{copy}");
}

#[test]
fn pictures_out_of_films_have_their_own_lines() {
    let call = call("mov", "output.x");
    let of_pair = |line: Vec<String>| {
        let line = line.join(" ");
        line.replace(&format!("{OPEN} -i input -map 0:V:0 -an "), "").replace(CLOSE, "…")
    };
    assert_eq!(
        of_pair(call.frame("scale=2:2")),
        "-vf scale=2:2 -frames:v 1 -c:v png -pred none -update 1 … -f image2 output.x"
    );
    assert_eq!(
        of_pair(call.webp("", 60, true)),
        "-frames:v 1000000 -c:v libwebp_anim -loop 0 -lossless 1 -quality 60 … -f webp output.x"
    );
    assert_eq!(
        of_pair(call.gif("fps=5")),
        "-vf fps=5,split[seen][shown];[seen]palettegen=stats_mode=diff[palette];[shown][palette]\
         paletteuse=dither=sierra2_4a:diff_mode=rectangle -frames:v 1000000 -c:v gif -loop 0 … -f gif output.x"
    );
}

#[test]
fn nothing_but_the_forced_demuxer_is_opened() {
    for line in [ffprobe::arguments("mov", "input"), call("mov", "output.x").frame("")] {
        let line = line.join(" ");
        assert!(line.contains("-protocol_whitelist file,pipe -format_whitelist mov -f mov"), "{line}");
    }
}

fn source(width: u32, height: u32) -> Video {
    Video { width, height, stored: (width, height), fps: 25.0, ..Video::default() }
}

const EVEN: SizeConstraints = SizeConstraints { step: 2, max_width: 640 };

#[test]
fn sizes_are_even_and_within_what_the_codec_takes() {
    let resize = |width, height, fit| Some(Resize { width, height, fit, ..Resize::default() });
    for (from, resize, expected) in [
        ((161, 121), None, (162, 122)),
        ((1, 1), None, (2, 2)),
        ((1280, 720), None, (640, 360)),
        ((160, 120), resize(Some(80), None, Fit::Fill), (80, 60)),
        ((160, 120), resize(Some(100), Some(20), Fit::Fill), (100, 20)),
        ((160, 120), resize(Some(100), Some(30), Fit::Inside), (40, 30)),
        ((160, 120), resize(Some(100), Some(30), Fit::Cover), (100, 30)),
        ((4000, 2), None, (640, 2)),
    ] {
        assert_eq!(scaling(from, resize, EVEN, 1.0).size, expected, "{from:?}");
    }
    let at_most = |max_width, max_height| Some(Resize { max_width, max_height, ..Resize::default() });
    for (resize, expected) in [
        (at_most(Some(101), None), (100, 76)),
        (at_most(Some(101), Some(75)), (100, 74)),
        (at_most(None, Some(75)), (100, 74)),
        (at_most(Some(1), None), (2, 2)),
    ] {
        assert_eq!(scaling((320, 240), resize, EVEN, 1.0).size, expected, "{resize:?}");
    }
    assert_eq!(scaling((160, 120), None, EVEN, 0.5).size, (80, 60));
    let cover = scaling((160, 120), resize(Some(100), Some(30), Fit::Cover), EVEN, 1.0);
    assert_eq!(cover.scaled, (100, 76));
}

#[test]
fn filters_are_as_few_as_will_do() {
    let plain = scaling((160, 120), None, EVEN, 1.0);
    assert_eq!(filters::video(&source(160, 120), &plain, None, PixelConversion::default()), "format=yuv420p");
    assert_eq!(filters::still(&source(160, 120), &plain, None), "");
    let odd = scaling((161, 120), None, EVEN, 1.0);
    assert_eq!(
        filters::video(&source(161, 120), &odd, Some(30_000.0 / 1001.0), PixelConversion::default()),
        "fps=30000/1001,format=yuv444p,pad=162:120,fillborders=right=1:bottom=0:mode=smear,format=yuv420p"
    );
    let clear = Video { is_rgb: true, has_alpha: true, ..source(160, 120) };
    assert_eq!(
        filters::video(
            &clear,
            &plain,
            Some(12.5),
            PixelConversion { background: Some([255, 0, 16]), ..PixelConversion::default() }
        ),
        "fps=12.5,format=rgba,split[top][under];[under]lutrgb=r=255:g=0:b=16:a=255[ground];\
         [ground][top]overlay=format=rgb,\
         scale=160:120:flags=bicubic:out_color_matrix=bt709:out_range=tv,format=yuv420p"
    );
    let fields = Video { first_field: Some(Field::Bottom), codec: "ffv1".to_owned(), ..source(160, 120) };
    assert_eq!(filters::still(&fields, &plain, None), "bwdif=mode=send_frame:parity=bff:deint=all");
    let wide = Video { stored: (80, 120), ..source(160, 120) };
    assert_eq!(filters::still(&wide, &plain, None), "scale=160:120:flags=bicubic,setsar=1");
}

#[test]
fn a_sound_gets_no_more_than_it_had() {
    let source = Audio {
        codec: "mp3".to_owned(),
        sample_rate: 96_000,
        channels: 6,
        bitrate: 70_000,
        ..Audio::default()
    };
    let audio_request = AudioRequest { max_channels: 8, ..AudioRequest::default() };
    let decided = |codec, audio_request| AudioEncoding::choose(codec, &source, audio_request);
    let mp3 = decided(AudioCodec::Mp3, audio_request);
    assert_eq!((mp3.bitrate, mp3.sample_rate, mp3.channels), (Some(64_000), Some(48_000), Some(2)));
    let opus = decided(AudioCodec::Opus, audio_request);
    assert_eq!((opus.bitrate, opus.sample_rate, opus.channels), (Some(70_000), Some(48_000), None));
    let flac = decided(AudioCodec::Flac, audio_request);
    assert_eq!((flac.bitrate, flac.sample_rate, flac.channels), (None, None, None));
    let asked =
        decided(AudioCodec::Aac, AudioRequest { bitrate: Some(256_000), channels: Some(1), ..audio_request });
    assert_eq!((asked.bitrate, asked.channels), (Some(256_000), Some(1)));
    assert_eq!(decided(AudioCodec::Aac, AudioRequest { max_channels: 1, ..audio_request }).channels, Some(1));
    assert_eq!(mp3.with_bitrate(20_000).bitrate, Some(16_000));
    assert_eq!(mp3.with_bitrate(1).bitrate, Some(8_000));
    assert!((to_fill(1_000_000, 8.0) - 970_000.0).abs() < 1.0);
}

#[test]
fn facts_are_read_from_what_ffprobe_says() {
    let json = br#"{ "streams": [
        { "codec_name": "mjpeg", "codec_type": "video", "width": 600, "height": 600, "disposition": { "attached_pic": 1 } },
        { "codec_name": "h264", "codec_type": "video", "width": 720, "height": 576, "sample_aspect_ratio": "16:15",
          "pix_fmt": "yuv420p", "avg_frame_rate": "30000/1001", "r_frame_rate": "30/1", "duration": "2.5", "nb_frames": "75",
          "side_data_list": [ { "side_data_type": "Display Matrix", "rotation": -90 } ] },
        { "codec_name": "aac", "codec_type": "audio", "sample_rate": "44100", "channels": 2, "bit_rate": "96000" },
        { "codec_name": "subrip", "codec_type": "subtitle" } ],
      "format": { "duration": "2.6" } }"#;
    let info = MediaInfo::read(json).expect("facts");
    let video = info.video.expect("a picture");
    assert_eq!((video.width, video.height, video.stored, video.frames), (576, 768, (576, 720), 75));
    assert!((info.duration - 2.6).abs() < 1e-9 && (video.fps - 29.97).abs() < 0.01);
    assert_eq!(
        info.audio.first().map(|audio| (audio.sample_rate, audio.channels, audio.bitrate)),
        Some((44_100, 2, 96_000))
    );
    assert_eq!((info.others, info.subtitles.len(), info.cover.is_some()), (0, 1, true));
    for nonsense in
        [&b""[..], b"{", b"5", br#"{"streams":[{"width":-1}]}"#, br#"{"streams":[{"width":99999999999}]}"#]
    {
        assert_eq!(MediaInfo::read(nonsense), None);
    }
    let odd = br#"{"streams":[{"codec_type":"video","avg_frame_rate":"0/0","r_frame_rate":"1/0","sample_aspect_ratio":"0:1"}]}"#;
    let odd = MediaInfo::read(odd).and_then(|info| info.video).expect("a picture");
    assert_eq!((odd.width, odd.frames), (0, 0));
}

#[test]
fn progress_is_the_share_of_what_is_expected() {
    let mut progress = Progress::default();
    let lines =
        ["frame=50", "total_size=N/A", "out_time_us=1000000", "out_time=00:00:01.000000", "speed=  1x"];
    assert!(!lines.iter().any(|line| progress.read(line)));
    assert!(progress.read("progress=continue"));
    assert!((progress.share(4.0, 0) - 0.25).abs() < 1e-9);
    assert!((progress.share(0.0, 100) - 0.5).abs() < 1e-9);
    assert!((progress.share(0.5, 1) - 1.0).abs() < 1e-9);
    progress.read("out_time_us=N/A");
    progress.read("out_time_us=-9223372036854775808");
    assert!(progress.seconds >= 0.0 && progress.share(0.0, 0) == 0.0);
}
