//! PDF → PDF, and pages of it.

use filepress_wire::{MediaType, TaskErrorCode};
use serde_json::json;

use crate::tools::{Bench, document, fact, pdf_of, run, warnings};
use crate::{pair, size};

#[tokio::test]
async fn a_document_is_made_smaller_and_parted() {
    let bench = Bench::new().await;
    let five = bench.write("five.pdf", document(5));
    let settings = json!({ "pages": "2-3,5" });
    let made =
        bench.convert(&five, MediaType::Pdf, Some(MediaType::Pdf), settings).await.expect("a document");
    let output = made.done.output.to_str().expect("a path");
    assert!(run("pdfinfo", &[output]).contains("Pages:           3"));
    let text = run("pdftotext", &[output, "-"]);
    assert!(
        text.contains("Page 2 of") && text.contains("Page 5 of") && !text.contains("Page 1 of"),
        "{text}"
    );
    let settings = json!({ "pages": "4-9" });
    let (code, _) = bench.refused(&five, MediaType::Pdf, MediaType::Pdf, settings).await;
    assert_eq!(code, TaskErrorCode::PageOutOfRange);

    let photo = bench.write("photo.pnm", noise(1200, 900));
    let settings = json!({ "dpi": 300 });
    let scan =
        bench.convert(&photo, MediaType::Pnm, Some(MediaType::Pdf), settings).await.expect("a document");
    let scan = bench.write("scan.pdf", &scan.bytes);
    let sizes = async |settings| {
        let made = bench.convert(&scan, MediaType::Pdf, Some(MediaType::Pdf), settings).await;
        made.expect("a document").bytes.len()
    };
    let (default, low, lossless) = (
        sizes(json!({})).await,
        sizes(json!({ "dpi": 50, "quality": 30 })).await,
        sizes(json!({ "lossless": true })).await,
    );
    assert!(low < default && default < lossless, "{low} {default} {lossless}");
    let target = default / 3;
    assert!(sizes(json!({ "target_size": target })).await <= target);
    let settings = json!({ "target_size": 900 });
    let (code, _) = bench.refused(&scan, MediaType::Pdf, MediaType::Pdf, settings).await;
    assert_eq!(code, TaskErrorCode::TargetUnreachable);
}

/// Pixels that do not compress.
fn noise(width: u32, height: u32) -> Vec<u8> {
    let mut pnm = format!("P6\n{width} {height}\n255\n").into_bytes();
    let mut state = 1u32;
    pnm.extend((0..width * height * 3).map(|_| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    }));
    pnm
}

#[tokio::test]
async fn a_document_says_not_who_wrote_it() {
    let bench = Bench::new().await;
    let objects: Vec<Vec<u8>> = [
        "<< /Type /Catalog /Pages 2 0 R /Metadata 5 0 R >>",
        "<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] >>",
        "<< /Title (Planted title) /Author (Planted author) >>",
        "<< /Type /Metadata /Subtype /XML /Length 14 >>\nstream\n<x>Planted</x>\nendstream",
    ]
    .map(|object| object.as_bytes().to_vec())
    .into();
    let input = bench.write("signed.pdf", pdf_of(&objects, "/Info 4 0 R"));
    for (settings, expected) in [
        (json!({ "lossless": true, "pages": "1" }), false),
        (json!({ "pages": "1" }), false),
        (json!({ "lossless": true, "pages": "1", "strip_metadata": false }), true),
    ] {
        let made = bench.convert(&input, MediaType::Pdf, Some(MediaType::Pdf), settings.clone()).await;
        let output = made.expect("a document").done.output;
        let path = output.to_str().expect("a path");
        let told = run("pdfinfo", &[path]) + &run("pdfinfo", &["-meta", path]);
        assert_eq!(told.contains("Planted"), expected, "{settings}: {told}");
        assert!(run("qpdf", &["--check", path]).contains("No syntax"), "{settings}");
    }
}

#[tokio::test]
async fn a_locked_document_says_so() {
    let bench = Bench::new().await;
    let plain = bench.write("plain.pdf", document(1));
    let (plain, locked) = (plain.to_str().expect("a path"), bench.path("locked.pdf"));
    let locked_path = locked.to_str().expect("a path");
    run("qpdf", &["--encrypt", "user", "owner", "256", "--", plain, locked_path]);
    for to in [MediaType::Pdf, MediaType::Png] {
        let (code, _) = bench.refused(&locked, MediaType::Pdf, to, json!({})).await;
        assert_eq!(code, TaskErrorCode::PasswordProtected);
    }
    // One that anyone may open is open.
    run("qpdf", &["--encrypt", "", "owner", "256", "--", plain, locked_path]);
    for to in [MediaType::Pdf, MediaType::Png] {
        assert!(bench.convert(&locked, MediaType::Pdf, Some(to), json!({})).await.is_ok());
    }
}

#[tokio::test]
async fn a_page_becomes_a_picture() {
    let bench = Bench::new().await;
    let input = bench.write("three.pdf", document(3));
    let settings = json!({ "dpi": 72, "page": 2 });
    let made = bench.convert(&input, MediaType::Pdf, Some(MediaType::Png), settings).await.expect("a page");
    assert_eq!(size(&made.done.output), pair(612, 792));
    assert_eq!(fact(&made.done, "/input/pages"), 3.0);
    let first =
        bench.convert(&input, MediaType::Pdf, Some(MediaType::Jpeg), json!({})).await.expect("a page");
    assert_eq!(warnings(&first.done), ["pages_dropped"]);
    let (code, _) = bench.refused(&input, MediaType::Pdf, MediaType::Png, json!({ "page": 4 })).await;
    assert_eq!(code, TaskErrorCode::PageOutOfRange);
}
