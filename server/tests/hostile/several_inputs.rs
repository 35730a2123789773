//! Several images for one document, of which one is hostile.

use std::path::Path;

use filepress_server::config::{ConversionLimits, SandboxChoice};
use filepress_server::media::Failure;
use filepress_wire::{MediaType, TaskErrorCode};
use serde_json::json;

use crate::canary::{SECRET, plant};
use crate::tools::{Bench, pnm};

async fn refusal(bench: &Bench, inputs: &[(&Path, MediaType)]) -> (TaskErrorCode, String) {
    match bench.combine(inputs, Some(MediaType::Pdf), json!({})).await {
        Err(Failure::File { code, detail }) => (code, detail),
        Err(other) => panic!("no fault of the file: {other:?}"),
        Ok(made) => panic!("converted: {:?}", made.done.metadata),
    }
}

#[tokio::test]
async fn one_bad_image_among_several_is_named() {
    let mut bench = Bench::new().await;
    let good = bench.write("good.pnm", pnm(64, 48));
    let bad = bench.write("bad.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR");
    let fake = bench.write("fake.jpg", pnm(8, 8));
    let vast = bench.write("vast.pnm", "P6\n60000 60000\n255\n");
    for (input, media, expected) in [
        (&bad, MediaType::Png, TaskErrorCode::CorruptFile),
        (&fake, MediaType::Jpeg, TaskErrorCode::WrongFormat),
        (&vast, MediaType::Pnm, TaskErrorCode::TooManyPixels),
    ] {
        let inputs =
            [(good.as_path(), MediaType::Pnm), (input.as_path(), media), (good.as_path(), MediaType::Pnm)];
        let (code, detail) = refusal(&bench, &inputs).await;
        assert_eq!(code, expected, "{detail}");
        assert!(detail.starts_with("Image 2 of 3: "), "{detail}");
    }
    // Each image is small enough, all together are not.
    bench.limits = ConversionLimits { output: 10_000, ..ConversionLimits::default() };
    let noise = bench.path("noise.png");
    let source = ["-f", "lavfi", "-i", "nullsrc=s=64x64,geq=random(1)*255:128:128", "-frames:v", "1"];
    crate::tools::ffmpeg(&[&source], &noise);
    let inputs = vec![(noise.as_path(), MediaType::Png); 8];
    assert_eq!(refusal(&bench, &inputs).await.0, TaskErrorCode::OutputTooLarge);
    let alone = bench.combine(&inputs[..1], Some(MediaType::Pdf), json!({})).await;
    assert!(alone.is_ok(), "{:?}", alone.err());
}

/// An SVG refers to the other images, to the document so far and to a file outside.
#[tokio::test]
async fn an_image_among_several_sees_no_other() {
    for sandbox in [SandboxChoice::Auto, SandboxChoice::Limits] {
        let bench = Bench::confined(sandbox).await;
        let [text, _, picture] = plant(&bench);
        let (text, picture) = (text.to_str().expect("a path"), picture.to_str().expect("a path"));
        let mut svg = "<svg xmlns='http://www.w3.org/2000/svg' width='64' height='64'>".to_owned();
        for path in ["input", "output.pdf", "../input", picture, text] {
            svg += &format!(
                "<image width='64' height='64' href='{path}'/><image width='64' height='64' href='file://{path}'/>"
            );
        }
        let svg = bench.write("refers.svg", svg + "</svg>");
        let inputs = [(Path::new(picture), MediaType::Png), (svg.as_path(), MediaType::Svg)];
        let made =
            bench.combine(&inputs, Some(MediaType::Pdf), json!({ "dpi": 72 })).await.expect("a document");
        assert!(!made.bytes.windows(SECRET.len()).any(|window| window == SECRET.as_bytes()));
        let settings = json!({ "dpi": 72, "page": 2 });
        let page = bench.convert(&made.done.output, MediaType::Pdf, Some(MediaType::Pnm), settings).await;
        let page = page.expect("a page").bytes;
        assert!(page.iter().rev().take(64 * 64 * 3).all(|sample| *sample == 255), "{sandbox:?}: not blank");
    }
}
