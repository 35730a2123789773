//! Inputs that end too soon are refused by every conversion, rather than converted in part.

use filepress_wire::{MediaType, TaskErrorCode};
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
    let made = bench.convert(&to, MediaType::Pdf, Some(MediaType::Pdf), json!({})).await.expect("a document");
    assert!(!made.done.kept_original);
    assert!(warnings(&made.done).contains(&"encryption_removed".to_owned()));
    assert!(!made.bytes.windows(8).any(|window| window == b"/Encrypt"));
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
