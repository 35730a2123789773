//! Documents that decompress to far more than their size.

use std::time::Duration;

use filepress_wire::{MediaType, TaskErrorCode};
use serde_json::json;

use crate::canary::tempt;
use crate::tools::{Bench, pdf_of};

/// A page whose content is deflated twice over, as a bomb of zip files is, and one of a size that no paper has.
#[tokio::test]
async fn a_pdf_decompression_bomb_is_stopped_at_a_limit() {
    let mut bench = Bench::new().await;
    bench.limits.time = Duration::from_secs(20);
    bench.limits.memory = 1 << 30;
    let page = |rest: &str| format!("<< /Type /Page /Parent 2 0 R {rest} >>").into_bytes();
    let catalog = b"<< /Type /Catalog /Pages 2 0 R >>".to_vec();
    let pages = b"<< /Type /Pages /Count 1 /Kids [3 0 R] >>".to_vec();

    let zeros = bench.write("zeros.bin", vec![b' '; 64 << 20]);
    let once = deflate(&std::fs::read(&zeros).expect("zeros"));
    let twice = deflate(&once.repeat(20));
    let mut content =
        format!("<< /Length {} /Filter [/FlateDecode /FlateDecode] >>\nstream\n", twice.len()).into_bytes();
    content.extend(&twice);
    content.extend(b"\nendstream");
    let bomb = pdf_of(
        &[catalog.clone(), pages.clone(), page("/MediaBox [0 0 200 200] /Contents 4 0 R"), content],
        "",
    );
    assert!(bomb.len() < 200_000);
    let vast = pdf_of(&[catalog.clone(), pages, page("/MediaBox [0 0 2000000 2000000]")], "");
    let many = pdf_of(
        &[
            catalog,
            b"<< /Type /Pages /Count 1000000000 /Kids [3 0 R] >>".to_vec(),
            page("/MediaBox [0 0 200 200]"),
        ],
        "",
    );
    for (name, bytes) in [("bomb.pdf", bomb), ("vast.pdf", vast), ("many.pdf", many)] {
        let input = bench.write(name, bytes);
        for to in [MediaType::Pdf, MediaType::Png] {
            tempt(&bench, &input, MediaType::Pdf, to).await;
        }
        let used: u64 = std::fs::read_dir(bench.path(""))
            .expect("a folder")
            .flatten()
            .filter(|entry| entry.file_name().to_string_lossy().starts_with("scratch"))
            .flat_map(|entry| std::fs::read_dir(entry.path()).expect("a folder").flatten())
            .map(|entry| entry.metadata().map_or(0, |metadata| metadata.len()))
            .sum();
        assert!(used < 100 << 20, "{name} left {used} bytes");
    }
    let vast = bench.path("vast.pdf");
    let (code, _) = bench.refused(&vast, MediaType::Pdf, MediaType::Png, json!({})).await;
    assert_eq!(code, TaskErrorCode::TooManyPixels);
    let many = bench.path("many.pdf");
    assert!(matches!(
        bench.refused(&many, MediaType::Pdf, MediaType::Png, json!({})).await.0,
        TaskErrorCode::TooManyPages | TaskErrorCode::CorruptFile
    ));
}

/// As zlib, by the encoder of PNG.
fn deflate(bytes: &[u8]) -> Vec<u8> {
    let mut zlib = Vec::new();
    let mut encoder = png::Encoder::new(&mut zlib, bytes.len() as u32, 1);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.set_filter(png::Filter::NoFilter);
    encoder.set_compression(png::Compression::High);
    let mut writer = encoder.write_header().expect("a header");
    writer.write_image_data(bytes).expect("data");
    writer.finish().expect("an end");
    let mut data = Vec::new();
    let mut rest = &zlib[8..];
    while rest.len() > 12 {
        let length = u32::from_be_bytes([rest[0], rest[1], rest[2], rest[3]]) as usize;
        if &rest[4..8] == b"IDAT" {
            data.extend(&rest[8..8 + length]);
        }
        rest = &rest[12 + length..];
    }
    data
}
