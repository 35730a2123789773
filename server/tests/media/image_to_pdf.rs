//! Images embedded in PDF documents.

use std::path::Path;

use filepress_server::config::SandboxChoice;
use filepress_wire::{ErrorCode, MediaType};
use serde_json::json;

use crate::pixels;
use crate::tools::{Bench, fact, ffmpeg, object, pnm, run, warnings};

/// Orientation 6 in an EXIF segment.
const EXIF_ON_ITS_SIDE: &[u8] =
    b"\xFF\xE1\0\x22Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0";

#[tokio::test]
async fn a_jpeg_goes_into_a_document_as_it_is() {
    let bench = Bench::new().await;
    let source = bench.write("photo.pnm", pnm(200, 100));
    let jpeg =
        bench.convert(&source, MediaType::Pnm, Some(MediaType::Jpeg), json!({})).await.expect("a JPEG");
    // After a comment that is no part of the picture; EXIF says that it lies on its side.
    let mut turned = vec![0xFF, 0xD8, 0xFF, 0xFE, 0, 9];
    turned.extend(b"Planted");
    turned.extend(EXIF_ON_ITS_SIDE);
    turned.extend(&jpeg.bytes[2..]);
    let input = bench.write("turned.jpg", &turned);
    let settings = json!({ "dpi": 100 });
    let made =
        bench.convert(&input, MediaType::Jpeg, Some(MediaType::Pdf), settings).await.expect("a document");
    let path = made.done.output.to_str().expect("a path");
    let scan = jpeg.bytes.windows(2).position(|pair| pair == [0xFF, 0xDA]).expect("a scan");
    assert!(made.bytes.windows(64).any(|window| window == &jpeg.bytes[scan..scan + 64]), "coded again");
    assert!(!made.bytes.windows(7).any(|window| window == b"Planted"));
    let info = run("pdfinfo", &[path]);
    assert!(info.contains("72 x 144 pts"), "{info}");
    // What was left is above: the picture is darker at its left and upper side.
    let page =
        bench.convert(&made.done.output, MediaType::Pdf, Some(MediaType::Pnm), json!({ "dpi": 100 })).await;
    let upright =
        bench.convert(&input, MediaType::Jpeg, Some(MediaType::Pnm), json!({})).await.expect("upright");
    let page = page.expect("a page");
    let (page, upright) = (pixels(&page.bytes), pixels(&upright.bytes));
    assert_eq!(page.len(), upright.len());
    let off: u64 = page.iter().zip(upright).map(|(one, other)| u64::from(one.abs_diff(*other))).sum();
    assert!(off / (page.len() as u64) < 8, "{off} of {}", page.len());
}

/// Fewer pixels are no reason to code a photograph without loss.
#[tokio::test]
async fn a_smaller_jpeg_is_a_jpeg_in_a_document() {
    let bench = Bench::new().await;
    let source = bench.write("photo.pnm", pnm(1200, 800));
    let jpeg =
        bench.convert(&source, MediaType::Pnm, Some(MediaType::Jpeg), json!({})).await.expect("a JPEG");
    let input = bench.write("photo.jpg", &jpeg.bytes);
    let settings = json!({ "resize": { "width": 600 } });
    let made =
        bench.convert(&input, MediaType::Jpeg, Some(MediaType::Pdf), settings).await.expect("a document");
    assert!(made.bytes.windows(10).any(|window| window == b"/DCTDecode"), "no JPEG");
    assert!(made.bytes.len() < jpeg.bytes.len(), "{} of {}", made.bytes.len(), jpeg.bytes.len());
}

#[tokio::test]
async fn pictures_keep_their_looks_in_a_document() {
    let bench = Bench::new().await;
    let source = bench.path("clear.png");
    ffmpeg(&[&["-f", "lavfi", "-i", "color=0x3060c0@0.5:s=40x30,format=rgba", "-frames:v", "1"]], &source);
    let deep = bench.path("deep.png");
    ffmpeg(&[&["-f", "lavfi", "-i", "color=0x3060c0:s=40x30,format=rgb48be", "-frames:v", "1"]], &deep);
    for (input, expected) in [(&source, [151, 175, 223]), (&deep, [48, 96, 192])] {
        let made = bench.convert(input, MediaType::Png, Some(MediaType::Pdf), json!({ "dpi": 72 })).await;
        let made = made.expect("a document");
        let page = bench
            .convert(&made.done.output, MediaType::Pdf, Some(MediaType::Pnm), json!({ "dpi": 72 }))
            .await;
        let page = page.expect("a page").bytes;
        let middle = &pixels(&page)[(15 * 40 + 20) * 3..][..3];
        let off = middle.iter().zip(expected).all(|(is, should)| is.abs_diff(should) < 4);
        assert!(off, "{middle:?} {expected:?}");
    }
}

#[tokio::test]
async fn several_images_become_the_pages_of_one_document_in_order() {
    // The strongest sandbox, and one without namespaces, in which each process gets another link to its input.
    for bench in [Bench::new().await, Bench::confined(SandboxChoice::Limits).await] {
        let plain = bench.write("plain.pnm", pnm(50, 20));
        let jpeg =
            bench.convert(&plain, MediaType::Pnm, Some(MediaType::Jpeg), json!({})).await.expect("a JPEG");
        let jpeg = bench.write("photo.jpg", &jpeg.bytes);
        let clear = bench.path("clear.png");
        let blue = ["-f", "lavfi", "-i", "color=0x3060c0@0.5:s=40x30,format=rgba", "-frames:v", "1"];
        ffmpeg(&[&blue], &clear);
        let moving = bench.animation("moving.gif");
        let inputs = [
            (jpeg.as_path(), MediaType::Jpeg),
            (clear.as_path(), MediaType::Png),
            (moving.as_path(), MediaType::Gif),
            (plain.as_path(), MediaType::Pnm),
            (clear.as_path(), MediaType::Png),
        ];
        let settings = json!({ "dpi": 72 });
        let made = bench.combine(&inputs, Some(MediaType::Pdf), settings.clone()).await.expect("a document");
        let path = made.done.output.to_str().expect("a path");
        assert!(run("pdfinfo", &[path]).contains("Pages:           5\n"));
        assert!(run("qpdf", &["--check", path]).contains("No syntax or stream encoding errors found"));
        for (index, (input, from)) in inputs.into_iter().enumerate() {
            let alone = bench.convert(input, from, Some(MediaType::Pdf), settings.clone()).await;
            let alone = alone.expect("a document").done.output;
            let page = async |document: &Path, page: usize| {
                let settings = json!({ "dpi": 72, "page": page });
                bench
                    .convert(document, MediaType::Pdf, Some(MediaType::Pnm), settings)
                    .await
                    .expect("a page")
                    .bytes
            };
            assert!(page(&made.done.output, index + 1).await == page(&alone, 1).await, "page {}", index + 1);
        }
        let sizes: u64 = inputs.iter().map(|(path, _)| std::fs::metadata(path).expect("a size").len()).sum();
        assert_eq!(fact(&made.done, "/input/size"), sizes as f64);
        assert_eq!(fact(&made.done, "/input/files"), 5.0);
        assert_eq!(fact(&made.done, "/output/pages"), 5.0);
        assert_eq!(warnings(&made.done), ["pages_dropped"]);
        let message = made.done.metadata["warnings"][0]["message"].as_str().expect("a message");
        assert!(message.starts_with("Images 3: "), "{message}");
        assert!(made.shares.len() >= 5 && made.shares.is_sorted(), "{:?}", made.shares);
    }
}

#[tokio::test]
async fn only_images_can_be_several_and_only_for_a_document() {
    let bench = Bench::new().await;
    let refused = |inputs: &[MediaType], to, settings| {
        let refusal = bench.tools.plan_several(inputs, to, &object(settings)).expect_err("no plan");
        (refusal.code, refusal.pointer)
    };
    let pair =
        |index: usize| (ErrorCode::UnsupportedPair, format!("/data/relationships/inputs/data/{index}"));
    use MediaType::{Jpeg, Mp4, Pdf, Png};
    assert_eq!(refused(&[Jpeg, Mp4], Some(Pdf), json!({})), pair(1));
    assert_eq!(refused(&[Pdf, Pdf], Some(Pdf), json!({})), pair(0));
    assert_eq!(refused(&[Jpeg, Png], Some(Png), json!({})), pair(0));
    assert_eq!(refused(&[Jpeg, Png], None, json!({})), pair(0));
    let (code, pointer) = refused(&[Jpeg, Png], Some(Pdf), json!({ "target_size": 10_000 }));
    assert_eq!(
        (code, pointer.as_str()),
        (ErrorCode::InvalidSetting, "/data/attributes/settings/target_size")
    );
    let (code, _) = refused(&[Jpeg, Png], Some(Pdf), json!({ "crf": 3 }));
    assert_eq!(code, ErrorCode::UnknownSetting);
}

#[tokio::test]
async fn metadata_in_a_document_is_kept_or_its_loss_is_reported() {
    let bench = Bench::new().await;
    let source = bench.write("photo.pnm", pnm(200, 100));
    for (to, settings, is_told) in [
        (MediaType::Jpeg, json!({ "strip_metadata": false }), false),
        // A comment does not outlive coding.
        (MediaType::Jpeg, json!({ "strip_metadata": false, "quality": 50 }), true),
        (MediaType::Png, json!({ "strip_metadata": false }), true),
        (MediaType::Png, json!({}), false),
    ] {
        let input = bench.path(&format!("described.{}", to.extensions()[0]));
        let path = input.to_str().expect("a path");
        run("convert", &[source.to_str().expect("a path"), "-set", "comment", "Planted-comment", path]);
        let made =
            bench.convert(&input, to, Some(MediaType::Pdf), settings.clone()).await.expect("a document");
        let told = warnings(&made.done).contains(&"metadata_dropped".to_owned());
        assert_eq!(told, is_told, "{to} {settings}");
        let is_kept = made.bytes.windows(15).any(|window| window == b"Planted-comment");
        assert_eq!(is_kept, to == MediaType::Jpeg && !is_told, "{to} {settings}");
    }
}
