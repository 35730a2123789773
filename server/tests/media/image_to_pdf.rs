//! Images embedded in PDF documents.

use filepress_wire::MediaType;
use serde_json::json;

use crate::pixels;
use crate::tools::{Bench, ffmpeg, pnm, run};

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
