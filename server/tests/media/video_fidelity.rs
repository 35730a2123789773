//! What survives a conversion of video: transparency, depth, dynamic range, frames and size.

use std::path::{Path, PathBuf};

use filepress_wire::MediaType;
use serde_json::{Value, json};

use super::tracks;
use crate::tools::{Bench, ffmpeg, probe, run, section, warnings};

/// Its left half is transparent.
const CLEAR: &str = "testsrc2=d=0.4:s=64x48:r=10,format=yuva420p,\
    geq=lum='lum(X,Y)':cb='cb(X,Y)':cr='cr(X,Y)':a='if(lt(X,32),0,255)'";
const HDR10: &str = "log-level=error:colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc:\
    master-display=G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,1):max-cll=1000,400";
const HLG: &str = "log-level=error:colorprim=bt2020:transfer=arib-std-b67:colormatrix=bt2020nc";

fn source(bench: &Bench, name: &str, picture: &str, arguments: &[&str]) -> PathBuf {
    let path = bench.path(name);
    ffmpeg(&[&["-f", "lavfi", "-i", picture], arguments], &path);
    path
}

fn clear(bench: &Bench) -> PathBuf {
    source(bench, "clear.webm", CLEAR, &["-c:v", "libvpx-vp9", "-auto-alt-ref", "0"])
}

/// As [`clear`], as an animation.
fn clear_gif(bench: &Bench) -> PathBuf {
    let palette = "split[a][b];[a]palettegen=reserve_transparent=1[p];[b][p]paletteuse";
    source(bench, "clear.gif", &format!("{CLEAR},format=rgba,{palette}"), &[])
}

/// Five frames, shown for different times.
fn uneven_gif(bench: &Bench) -> PathBuf {
    let picture = "testsrc2=d=2:s=64x48:r=10,select='eq(n,0)+eq(n,1)+eq(n,4)+eq(n,12)+eq(n,19)'";
    source(bench, "uneven.gif", picture, &["-fps_mode", "vfr"])
}

fn ten_bits(bench: &Bench, name: &str, parameters: &str) -> PathBuf {
    let picture = "testsrc2=d=0.4:s=64x48:r=10,format=yuv420p10le";
    source(bench, name, picture, &["-c:v", "libx265", "-x265-params", parameters])
}

/// 33 frames in two seconds, at first 20 and then 13 of equal distance.
fn uneven(bench: &Bench) -> PathBuf {
    let picture = "testsrc2=d=2:s=64x48:r=20,select='if(lt(t,1),1,not(mod(n,3)))'";
    source(bench, "uneven.mkv", picture, &["-fps_mode", "vfr", "-c:v", "libx264"])
}

fn odd(bench: &Bench) -> PathBuf {
    let picture = "testsrc2=d=0.4:s=64x48:r=10,format=yuv444p,crop=63:47:0:0:exact=1";
    source(bench, "odd.mkv", picture, &["-pix_fmt", "yuv420p", "-c:v", "libvpx-vp9"])
}

fn interlaced(bench: &Bench) -> PathBuf {
    let picture = "testsrc2=d=0.8:s=64x48:r=50,tinterlace=interleave_top";
    source(bench, "fields.mkv", picture, &["-c:v", "libx264", "-flags", "+ildct+ilme", "-x264opts", "tff=1"])
}

/// The average opacity of the left half, 0 to 255, in the words of the table.
fn opacity(path: &Path) -> String {
    let path = path.to_str().expect("a path");
    let decoder = match probe(Path::new(path), "stream=codec_name")[0].as_str() {
        "vp9" => vec!["-c:v", "libvpx-vp9"],
        _ => Vec::new(),
    };
    let filter = "format=yuva420p,crop=16:16:0:0,alphaextract,signalstats,metadata=print:file=-:key=lavfi.signalstats.YAVG";
    let tail = ["-i", path, "-vf", filter, "-frames:v", "1", "-f", "null", "-"];
    let printed = run("ffmpeg", &[&["-v", "error"], &decoder[..], &tail].concat());
    let average = printed.split("YAVG=").nth(1).and_then(|text| text.lines().next()?.parse::<f64>().ok());
    if average.expect("an average") < 64.0 { "transparent" } else { "opaque" }.to_owned()
}

fn depth(path: &Path) -> String {
    let entries = probe(path, "stream=pix_fmt,color_transfer");
    let deep = entries[0].contains("10le");
    let light = probe(path, "frame_side_data=max_content");
    let kept = if light.is_empty() { "" } else { ", light levels" };
    let transfer = if entries[1] == "unknown" { "no transfer function" } else { entries[1].as_str() };
    format!("{} bits, {transfer}{kept}", if deep { 10 } else { 8 })
}

fn frames(path: &Path) -> String {
    let counted = run(
        "ffprobe",
        &[
            "-v",
            "error",
            "-count_frames",
            "-select_streams",
            "v:0",
            "-show_entries",
            "stream=nb_read_frames",
            "-of",
        ]
        .into_iter()
        .chain(["csv=p=0", path.to_str().expect("a path")])
        .collect::<Vec<_>>(),
    );
    format!("{} frames", counted.trim().trim_end_matches(',').lines().next().unwrap_or_default())
}

fn length(path: &Path) -> String {
    let seconds = probe(path, "format=duration")[0].parse::<f64>().expect("a duration");
    format!("{seconds:.1} s")
}

fn dimensions(path: &Path) -> String {
    probe(path, "stream=width,height").join(" × ")
}

fn scan(path: &Path) -> String {
    probe(path, "frame=interlaced_frame")
        .first()
        .map_or("", |flag| if flag == "1" { "fields" } else { "frames" })
        .to_owned()
}

fn streams(path: &Path) -> String {
    let kinds = probe(path, "stream=codec_type");
    let count = |kind: &str| kinds.iter().filter(|is| *is == kind).count();
    let chapters = probe(path, "chapter=id").len();
    let fonts = count("attachment");
    let noun = if fonts == 1 { "font" } else { "fonts" };
    format!("{} audio, {} subtitles, {fonts} {noun}, {chapters} chapters", count("audio"), count("subtitle"))
}

type Measure = fn(&Path) -> String;

/// A row: an input, how it is measured, and what each output is to be.
struct Case {
    what: &'static str,
    input: PathBuf,
    from: MediaType,
    measure: Measure,
    settings: Value,
}

fn cases(bench: &Bench) -> Vec<Case> {
    let case = |what, input, from, measure: Measure| Case { what, input, from, measure, settings: json!({}) };
    vec![
        case("alpha of VP9", clear(bench), MediaType::Webm, opacity),
        case("HEVC of 10 bits", ten_bits(bench, "ten.mkv", "log-level=error"), MediaType::Matroska, depth),
        Case {
            settings: json!({ "codec": "h265" }),
            ..case("HDR10 into HEVC", ten_bits(bench, "hdr.mkv", HDR10), MediaType::Matroska, depth)
        },
        case("HDR10", ten_bits(bench, "hdr10.mkv", HDR10), MediaType::Matroska, depth),
        case("HLG", ten_bits(bench, "hlg.mkv", HLG), MediaType::Matroska, depth),
        case("variable frame rate", uneven(bench), MediaType::Matroska, frames),
        case("interlaced", interlaced(bench), MediaType::Matroska, scan),
        case("odd sides", odd(bench), MediaType::Matroska, dimensions),
        case("alpha of an animated GIF", clear_gif(bench), MediaType::Gif, opacity),
        case("length of an animated GIF", uneven_gif(bench), MediaType::Gif, length),
        case("streams", tracks::film(bench), MediaType::Matroska, streams),
    ]
}

#[tokio::test]
async fn the_readme_table_matches_video_conversions() {
    let bench = Bench::new().await;
    let outputs = [MediaType::Matroska, MediaType::Mp4, MediaType::Webm, MediaType::Avi];
    let mut rows = Vec::new();
    for Case { what, input, from, measure, settings } in cases(&bench) {
        let mut row = vec![format!("{what}: {}", measure(&input))];
        for to in outputs {
            if settings.get("codec").is_some() && !matches!(to, MediaType::Matroska | MediaType::Mp4) {
                row.push(String::new());
                continue;
            }
            // At the highest quality it is no smaller, and a part does not come back as it was.
            let mut settings = settings.clone();
            settings["trim"] = json!({ "start": 0, "end": 10 });
            settings["crf"] = json!(20);
            let made = bench.convert(&input, from, Some(to), settings).await;
            let made = made.unwrap_or_else(|failure| panic!("{what} → {to}: {failure:?}"));
            let told: String = warnings(&made.done).iter().map(|code| format!(", `{code}`")).collect();
            row.push(format!("{}{told}", measure(&made.done.output)));
        }
        rows.push(row);
    }
    section::check("video", &section::table(&["", "Matroska", "MP4", "WebM", "AVI"], &rows));
}

#[tokio::test]
async fn video_transparency_is_kept_or_shows_the_background() {
    let bench = Bench::new().await;
    let input = clear(&bench);
    for to in [MediaType::Webm, MediaType::Gif, MediaType::Png] {
        let made =
            bench.convert(&input, MediaType::Webm, Some(to), json!({ "resize": { "width": 32 } })).await;
        let made = made.expect("a picture");
        assert_eq!(opacity(&made.done.output), "transparent", "{to}");
    }
    let settings = json!({ "background": "#00ff00" });
    let made = bench.convert(&input, MediaType::Webm, Some(MediaType::Mp4), settings).await.expect("a film");
    assert_eq!(warnings(&made.done), ["alpha_flattened"]);
    let pixel = std::process::Command::new("ffmpeg")
        .args(["-v", "error", "-i"])
        .arg(&made.done.output)
        .args(["-vf", "crop=8:8:4:4,scale=1:1", "-frames:v", "1", "-f", "rawvideo", "-pix_fmt", "rgb24", "-"])
        .output()
        .expect("ffmpeg is installed")
        .stdout;
    assert!(pixel[0] < 60 && pixel[1] > 200 && pixel[2] < 60, "{pixel:?}");
}

#[tokio::test]
async fn a_frame_of_hdr_is_tone_mapped() {
    let bench = Bench::new().await;
    let input = ten_bits(&bench, "hdr.mkv", HDR10);
    for to in [MediaType::Png, MediaType::Gif] {
        let made = bench.convert(&input, MediaType::Matroska, Some(to), json!({})).await.expect("a picture");
        assert!(warnings(&made.done).contains(&"tone_mapped".to_owned()), "{to}");
    }
}

#[tokio::test]
async fn odd_dimensions_are_padded_without_changing_pixels() {
    let bench = Bench::new().await;
    let input = source(
        &bench,
        "edge.mkv",
        "color=black:d=0.2:s=64x48:r=5,format=yuv444p,drawbox=x=61:w=2:h=48:color=white:t=fill,crop=63:48:0:0:exact=1",
        &["-c:v", "ffv1"],
    );
    let settings = json!({ "crf": 0 });
    let made =
        bench.convert(&input, MediaType::Matroska, Some(MediaType::Mp4), settings).await.expect("a film");
    assert!(warnings(&made.done).contains(&"size_rounded".to_owned()));
    let gray = std::process::Command::new("ffmpeg")
        .args(["-v", "error", "-i"])
        .arg(&made.done.output)
        .args(["-frames:v", "1", "-f", "rawvideo", "-pix_fmt", "gray", "-"])
        .output()
        .expect("ffmpeg is installed")
        .stdout;
    assert!(gray[60] < 8 && gray[61..64].iter().all(|level| *level > 245), "{:?}", &gray[58..64]);
}
