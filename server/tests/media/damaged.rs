//! Inputs that end too soon: images are refused; audio and video are converted as far as they can be read, with a warning.

use filepress_server::media::Failure;
use filepress_wire::{MediaClass, MediaType, TaskErrorCode};
use serde_json::json;

use crate::tools::{Bench, document, fact, pnm, probe, run, warnings};

#[tokio::test]
async fn a_cut_jpeg_is_not_put_into_a_document() {
    let bench = Bench::new().await;
    let photo = bench.write("photo.pnm", pnm(320, 200));
    for effort in [0, 4] {
        let settings = json!({ "quality": 80, "effort": effort });
        let jpeg = bench.convert(&photo, MediaType::Pnm, Some(MediaType::Jpeg), settings).await;
        let jpeg = jpeg.expect("a JPEG").bytes;
        let cut = bench.write("cut.jpg", &jpeg[..jpeg.len() / 2]);
        let (code, detail) = bench.refused(&cut, MediaType::Jpeg, MediaType::Pdf, json!({})).await;
        assert_eq!(code, TaskErrorCode::CorruptFile, "{detail}");
        // The end marker alone takes no pixel with it.
        let open = bench.write("open.jpg", &jpeg[..jpeg.len() - 2]);
        let made = bench.convert(&open, MediaType::Jpeg, Some(MediaType::Pdf), json!({})).await;
        assert!(made.is_ok(), "effort {effort}");
    }
}

#[tokio::test]
async fn a_document_has_no_metadata_from_behind_or_between_the_scans_of_a_jpeg() {
    let bench = Bench::new().await;
    let photo = bench.write("photo.pnm", pnm(320, 200));
    let jpeg = bench.convert(&photo, MediaType::Pnm, Some(MediaType::Jpeg), json!({})).await;
    let jpeg = jpeg.expect("a JPEG").bytes;
    let comment = b"\xFF\xFE\0\x0BPLANTED-1";
    let scans: Vec<_> = (0..jpeg.len() - 1).filter(|&at| jpeg[at..at + 2] == [0xFF, 0xDA]).collect();
    let table = jpeg[scans[0] + 2..].windows(2).position(|pair| pair == [0xFF, 0xC4]).expect("tables");
    let between = scans[0] + 2 + table;
    let end = jpeg.len() - 2;
    let whole =
        [&jpeg[..between], comment, &jpeg[between..end], comment, &jpeg[end..], b"PLANTED-2"].concat();
    let input = bench.write("talkative.jpg", &whole);
    let made = bench.convert(&input, MediaType::Jpeg, Some(MediaType::Pdf), json!({})).await;
    let made = made.expect("a document");
    assert!(!made.bytes.windows(8).any(|window| window == b"PLANTED-"));
    let path = made.done.output.to_str().expect("a path");
    let images = run("pdfimages", &["-list", path]);
    assert!(images.contains("jpeg"), "{images}");
    let page = bench.convert(&made.done.output, MediaType::Pdf, Some(MediaType::Png), json!({})).await;
    assert!(page.is_ok());
}

#[tokio::test]
async fn what_is_no_document_is_not_taken_for_an_empty_one() {
    let bench = Bench::new().await;
    let noise: Vec<u8> = (0..3000_u32).map(|at| (at.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    for (name, bytes) in
        [("head.pdf", b"%PDF-1.7\n".to_vec()), ("noise.pdf", [b"%PDF-1.7\n", &noise[..]].concat())]
    {
        let input = bench.write(name, &bytes);
        for to in [MediaType::Pdf, MediaType::Png] {
            let (code, detail) = bench.refused(&input, MediaType::Pdf, to, json!({})).await;
            assert_eq!(code, TaskErrorCode::CorruptFile, "{name} → {to}: {detail}");
        }
    }
}

#[tokio::test]
async fn an_encrypted_document_is_never_returned_as_it_is() {
    let bench = Bench::new().await;
    let plain = bench.write("plain.pdf", document(1));
    let small =
        bench.convert(&plain, MediaType::Pdf, Some(MediaType::Pdf), json!({})).await.expect("a document");
    let (from, to) = (small.done.output.to_str().expect("a path"), bench.path("encrypted.pdf"));
    run("qpdf", &["--encrypt", "", "owner", "256", "--", from, to.to_str().expect("a path")]);
    for settings in [json!({}), json!({ "target_size": 1_000_000 })] {
        let made = bench.convert(&to, MediaType::Pdf, Some(MediaType::Pdf), settings).await;
        let made = made.expect("a document");
        assert!(!made.done.kept_original);
        assert!(warnings(&made.done).contains(&"encryption_removed".to_owned()));
        assert!(!made.bytes.windows(8).any(|window| window == b"/Encrypt"));
    }
}

#[tokio::test]
async fn a_cut_gif_is_not_converted_to_a_film() {
    let bench = Bench::new().await;
    let path = bench.animation("moving.gif");
    let gif = std::fs::read(&path).expect("a GIF");
    let cut = bench.write("cut.gif", &gif[..gif.len() * 2 / 3]);
    for to in [MediaType::Mp4, MediaType::Webm, MediaType::Webp] {
        let (code, detail) = bench.refused(&cut, MediaType::Gif, to, json!({})).await;
        assert_eq!(code, TaskErrorCode::CorruptFile, "{to}: {detail}");
    }
    let open = bench.write("open.gif", &gif[..gif.len() - 1]);
    let made = bench.convert(&open, MediaType::Gif, Some(MediaType::Mp4), json!({})).await;
    assert_eq!(fact(&made.expect("a film").done, "/output/frames"), 10.0);
}

#[tokio::test]
async fn frames_are_counted_and_sides_are_no_longer_than_asked() {
    let bench = Bench::new().await;
    let film = bench.video("film.mp4", &[]);
    for to in [MediaType::Webm, MediaType::Matroska, MediaType::Avi] {
        let made = bench.convert(&film, MediaType::Mp4, Some(to), json!({})).await.expect("a film");
        let path = made.done.output.to_str().expect("a path");
        let counted = ["-count_packets", "-select_streams", "v:0", "-show_entries", "stream=nb_read_packets"];
        let tail = ["-of", "csv=p=0", path];
        let counted = run("ffprobe", &[&["-v", "error"], &counted[..], &tail].concat());
        let counted = counted.trim().trim_end_matches(',').parse::<f64>().expect("a number");
        assert_eq!(fact(&made.done, "/output/frames"), counted, "{to}");
    }
    let rounded = "size_rounded".to_owned();
    for (resize, is_told) in [
        (json!({ "max_width": 51 }), true),
        (json!({ "max_width": 51, "max_height": 31 }), true),
        (json!({ "width": 51 }), true),
        (json!({ "width": 40, "height": 30 }), false),
    ] {
        let settings = json!({ "resize": resize });
        let made =
            bench.convert(&film, MediaType::Mp4, Some(MediaType::Mp4), settings).await.expect("a film");
        let sides = probe(&made.done.output, "stream=width,height");
        let side = |at: usize| sides[at].parse::<u64>().expect("a side");
        for (at, name) in ["max_width", "max_height"].into_iter().enumerate() {
            assert!(resize[name].as_u64().is_none_or(|most| side(at) <= most), "{resize}: {sides:?}");
        }
        assert_eq!(warnings(&made.done).contains(&rounded), is_told, "{resize}: {sides:?}");
    }
}

/// MPEG streams and ADTS frames have no length and no end mark: where they are cut between packets, nothing is missing.
#[tokio::test]
async fn a_cut_recording_is_converted_with_a_warning() {
    let bench = Bench::new().await;
    let mut tried = 0;
    for media in MediaType::ALL {
        let is_recording = matches!(media.class(), MediaClass::Video | MediaClass::Audio);
        let has_end = !matches!(
            media,
            MediaType::MpegTs | MediaType::Mpeg | MediaType::Dvd | MediaType::Flv | MediaType::Aac
        );
        let output = if media.class() == MediaClass::Video { MediaType::Webm } else { MediaType::Mp3 };
        if !is_recording || !has_end || !bench.tools.outputs(media).contains(&output) {
            continue;
        }
        let path = bench.sample(media).await;
        // A part, so that the original does not come back where the types are the same.
        let settings = json!({ "trim": { "start": 0, "end": 0.9 } });
        let whole = bench.convert(&path, media, Some(output), settings.clone()).await.expect("a conversion");
        assert!(!warnings(&whole.done).contains(&"damaged".to_owned()), "{media}, whole");
        let whole = std::fs::read(&path).expect("a sample");
        let cut = bench.write("cut", &whole[..whole.len() * 7 / 10]);
        match bench.convert(&cut, media, Some(output), settings).await {
            Ok(made) => assert!(warnings(&made.done).contains(&"damaged".to_owned()), "{media}, cut"),
            Err(Failure::File { code, .. }) => assert_eq!(code, TaskErrorCode::CorruptFile, "{media}"),
            Err(other) => panic!("{media}: {other:?}"),
        }
        tried += 1;
    }
    assert!(tried >= 12, "{tried}");
}

/// Writers that cannot seek back leave the sizes of a WAV file open.
#[tokio::test]
async fn a_wav_of_unknown_size_is_not_reported_as_damaged() {
    let bench = Bench::new().await;
    let whole = std::fs::read(bench.sound("whole.wav", &[])).expect("a WAV");
    let data = whole.windows(4).position(|name| name == b"data").expect("samples");
    for size in [0, u32::MAX] {
        let mut open = whole.clone();
        for at in [4, data + 4] {
            open[at..at + 4].copy_from_slice(&size.to_le_bytes());
        }
        let input = bench.write("open.wav", &open);
        let made = bench.convert(&input, MediaType::Wav, Some(MediaType::Flac), json!({})).await;
        assert!(warnings(&made.expect("audio").done).is_empty(), "{size}");
    }
}
