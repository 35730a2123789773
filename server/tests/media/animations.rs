//! Conversions between animations, videos and still images.

use filepress_wire::{MediaType, TaskErrorCode};
use serde_json::json;

use crate::tools::{Bench, fact, ffmpeg, pnm, run, warnings};

#[tokio::test]
async fn animations_and_videos_are_converted_to_each_other() {
    let bench = Bench::new().await;
    for name in ["moving.gif", "moving.webp"] {
        let input = bench.animation(name);
        let from = if name.ends_with("gif") { MediaType::Gif } else { MediaType::Webp };
        for to in [MediaType::Mp4, MediaType::Webm, MediaType::Avi] {
            let made = bench.convert(&input, from, Some(to), json!({})).await;
            let made = made.unwrap_or_else(|failure| panic!("{from} → {to}: {failure:?}"));
            let duration = fact(&made.done, "/output/duration");
            assert!((0.8..1.3).contains(&duration), "{from} → {to}: {duration}");
            assert_eq!(fact(&made.done, "/input/frames"), 10.0);
        }
        // MPEG has few rates, and of a short stream only estimates of its duration: its pictures are counted.
        let made = bench.convert(&input, from, Some(MediaType::Mpeg), json!({})).await.expect("a film");
        let counted = ["-count_packets", "-show_entries", "stream=nb_read_packets", "-of", "csv=p=0"];
        let path = made.done.output.to_str().expect("a path");
        let pictures = run("ffprobe", &[&["-v", "error"], &counted[..], &[path]].concat());
        assert!(pictures.starts_with("24"), "{from}: {pictures}");
    }
    let film = bench.video("film.mp4", &[]);
    for (to, settings) in [
        (MediaType::Gif, json!({ "fps": 5, "resize": { "width": 40 } })),
        (MediaType::Webp, json!({ "fps": 5, "resize": { "width": 40 }, "quality": 30 })),
        (MediaType::Gif, json!({ "fps": 5, "resize": { "width": 40 }, "quality": 40, "target_size": 9000 })),
    ] {
        let made = bench.convert(&film, MediaType::Mp4, Some(to), settings).await.expect("an animation");
        assert_eq!(fact(&made.done, "/output/frames"), 5.0);
        let back = bench.write(&format!("back.{}", to.extensions()[0]), &made.bytes);
        let again = bench.convert(&back, to, Some(MediaType::Mp4), json!({})).await.expect("a film");
        assert_eq!(fact(&again.done, "/input/frames"), 5.0);
        assert!(warnings(&made.done).contains(&"sound_dropped".to_owned()));
    }
    let still = bench.write("still.pnm", pnm(32, 32));
    for media in [MediaType::Gif, MediaType::Webp] {
        let made = bench.convert(&still, MediaType::Pnm, Some(media), json!({})).await.expect("a picture");
        let input = bench.write("one", &made.bytes);
        let (code, _) = bench.refused(&input, media, MediaType::Mp4, json!({})).await;
        assert_eq!(code, TaskErrorCode::NotAnimated);
    }
}

#[tokio::test]
async fn transparency_shows_the_background() {
    let bench = Bench::new().await;
    for (input, from) in clear_animations(&bench).await {
        let settings = json!({ "background": "#ff0000" });
        let made = bench.convert(&input, from, Some(MediaType::Mp4), settings).await.expect("a film");
        let frame = bench.convert(&made.done.output, MediaType::Mp4, Some(MediaType::Pnm), json!({})).await;
        let frame = frame.expect("a frame").bytes;
        let [.., red, green, blue] = frame[..] else { panic!("no pixels") };
        assert!(red > 240 && green < 16 && blue < 16, "{from}: {red} {green} {blue}");
    }
}

/// A GIF with a stripe that grows over transparency, and a lossless animated WebP of it.
async fn clear_animations(bench: &Bench) -> [(std::path::PathBuf, MediaType); 2] {
    let gif = bench.path("clear.gif");
    // There has to be more than one picture.
    let source = "color=black@0:d=0.5:s=32x32:r=10,format=rgba,geq=r=0:g=200:b=X*4:a=255*lt(X\\,4*N+4),\
        split[a][b];[a]palettegen=reserve_transparent=1[p];[b][p]paletteuse";
    ffmpeg(&[&["-f", "lavfi", "-i", source]], &gif);
    let webp = bench.convert(&gif, MediaType::Gif, Some(MediaType::Webp), json!({ "lossless": true })).await;
    let webp = bench.write("clear.webp", &webp.expect("an animation").bytes);
    [(gif, MediaType::Gif), (webp, MediaType::Webp)]
}

#[tokio::test]
async fn transparency_survives_or_its_loss_is_reported() {
    let bench = Bench::new().await;
    for (input, from) in clear_animations(&bench).await {
        for (to, keeps) in [(MediaType::Webm, true), (MediaType::Matroska, false), (MediaType::Mp4, false)] {
            let made = bench.convert(&input, from, Some(to), json!({})).await.expect("a film");
            let lost = warnings(&made.done).contains(&"alpha_flattened".to_owned());
            assert_eq!(lost, !keeps, "{from} → {to}: {:?}", made.done.metadata);
            if keeps {
                let back = bench.convert(&made.done.output, to, Some(MediaType::Png), json!({})).await;
                let frame = bench.write("frame.png", &back.expect("a frame").bytes);
                let alpha = run(
                    "identify",
                    &["-format", "%[fx:minima.a] %[fx:maxima.a]", frame.to_str().expect("a path")],
                );
                let alpha: Vec<f64> = alpha.split(' ').map(|part| part.parse().expect("a number")).collect();
                assert!(alpha[0] < 0.1 && alpha[1] > 0.9, "{from}: {alpha:?}");
            }
        }
    }
    // An animation without transparent pixels has none to lose.
    for name in ["moving.gif", "moving.webp"] {
        let from = if name.ends_with("gif") { MediaType::Gif } else { MediaType::Webp };
        let made = bench.convert(&bench.animation(name), from, Some(MediaType::Mp4), json!({})).await;
        assert!(!warnings(&made.expect("a film").done).contains(&"alpha_flattened".to_owned()), "{name}");
    }
}

#[tokio::test]
async fn frames_that_are_left_out_are_reported() {
    let bench = Bench::new().await;
    let film = bench.path("fast.mkv");
    ffmpeg(&[&["-f", "lavfi", "-i", "testsrc=d=0.5:s=64x48:r=60", "-c:v", "ffv1"]], &film);
    let changed = "frame_rate_changed".to_owned();
    for (settings, is_told) in
        [(json!({}), true), (json!({ "fps": 100 }), true), (json!({ "fps": 25 }), false)]
    {
        let made = bench.convert(&film, MediaType::Matroska, Some(MediaType::Gif), settings.clone()).await;
        assert_eq!(warnings(&made.expect("an animation").done).contains(&changed), is_told, "{settings}");
    }
    ffmpeg(&[&["-f", "lavfi", "-i", "testsrc=d=0.5:s=64x48:r=240", "-c:v", "ffv1"]], &film);
    let made = bench.convert(&film, MediaType::Matroska, Some(MediaType::Mp4), json!({})).await;
    assert!(warnings(&made.expect("a film").done).contains(&changed));
}

#[tokio::test]
async fn a_frame_is_extracted_at_the_requested_time() {
    let bench = Bench::new().await;
    let film = bench.path("two.mkv");
    ffmpeg(
        &[&[
            "-f",
            "lavfi",
            "-i",
            "color=red:d=1:s=32x32:r=10[a];color=blue:d=1:s=32x32:r=10[b];[a][b]concat",
        ]],
        &film,
    );
    for (settings, is_red) in [(json!({}), true), (json!({ "trim": { "start": 1.5 } }), false)] {
        let made = bench.convert(&film, MediaType::Matroska, Some(MediaType::Pnm), settings).await;
        let bytes = made.expect("a frame").bytes;
        let [.., red, _, blue] = bytes[..] else { panic!("no pixels") };
        assert_eq!(red > blue, is_red);
    }
    let settings = json!({ "trim": { "start": 60 } });
    let (code, _) = bench.refused(&film, MediaType::Matroska, MediaType::Png, settings).await;
    assert_eq!(code, TaskErrorCode::TrimOutOfRange);
}
