//! Options and plans: what is refused, with which code, and what the defaults are.

use filepress::job::{self, Encoding, Job};
use filepress::options::Options;
use filepress::{ErrorCode, ErrorKind};
use filepress_wire::MediaType;
use serde_json::{Value, json};

use super::support::options as parse;

fn code(options: Value) -> (ErrorCode, String) {
    let error = match parse(options) {
        Ok(options) => job::plan(MediaType::Png, &options).expect_err("the options are wrong"),
        Err(error) => error,
    };
    (error.code(), error.message().to_owned())
}

fn encoding(input: MediaType, options: Value) -> Encoding {
    match job::plan(input, &parse(options).expect("valid options")).expect("a plan") {
        Job::Local(job) => job.encoding,
        Job::Remote { .. } => panic!("an image was sent to a service"),
    }
}

#[test]
fn a_misspelt_option_is_named() {
    let (code_, message) = code(json!({ "qualty": 80 }));
    assert_eq!(code_, ErrorCode::UnknownOption);
    assert!(message.contains("qualty") && message.contains("quality"), "{message}");
    assert_eq!(code(json!({ "resize": { "maxwidth": 10 } })).0, ErrorCode::UnknownOption);
    assert_eq!(code(json!({ "limits": { "pixels": 10 } })).0, ErrorCode::UnknownOption);
}

#[test]
fn values_out_of_range_are_refused_with_their_path() {
    let wrong = [
        json!({ "quality": 0 }),
        json!({ "quality": 101 }),
        json!({ "quality": 80.5 }),
        json!({ "quality": "80" }),
        json!({ "effort": 10 }),
        json!({ "effort": -1 }),
        json!({ "lossless": 1 }),
        json!({ "resize": { "width": 0 } }),
        json!({ "resize": { "maxHeight": 16_384 } }),
        json!({ "resize": { "fit": "stretch" } }),
        json!({ "background": "#12" }),
        json!({ "background": "#ggg" }),
        json!({ "background": "rebeccapurple" }),
        json!({ "metadata": "all" }),
        json!({ "limits": { "maxPixels": -1 } }),
        json!({ "to": "image/nothing" }),
        json!([]),
        json!("jpeg"),
    ];
    for options in wrong {
        let (code, message) = code(options.clone());
        assert_eq!(code, ErrorCode::InvalidOption, "{options} → {message}");
        assert_eq!(code.kind(), ErrorKind::Options);
    }
    assert!(code(json!({ "resize": { "width": 0 } })).1.contains("options.resize.width"));
}

#[test]
fn absent_members_may_be_null() {
    let nulls = json!({ "to": null, "quality": null, "effort": null, "resize": null, "background": null });
    assert_eq!(parse(nulls).expect("nulls are as absent"), Options::default());
}

#[test]
fn defaults_are_those_of_the_documentation() {
    assert_eq!(encoding(MediaType::Jpeg, json!({})), Encoding::Jpeg { quality: 80, effort: 4 });
    assert_eq!(encoding(MediaType::Webp, json!({})), Encoding::WebpLossy { quality: 80, effort: 4 });
    assert_eq!(encoding(MediaType::Png, json!({})), Encoding::Png { effort: 4 });
    assert_eq!(
        encoding(MediaType::Png, json!({ "quality": 70 })),
        Encoding::PngPalette { quality: 70, effort: 4 }
    );
    assert_eq!(
        encoding(MediaType::Png, json!({ "quality": 70, "lossless": true })),
        Encoding::Png { effort: 4 }
    );
    assert_eq!(encoding(MediaType::Webp, json!({ "lossless": true })), Encoding::WebpLossless);
    assert_eq!(encoding(MediaType::Jpeg, json!({ "lossless": true })), Encoding::JpegRecoded);
}

#[test]
fn an_output_may_be_named_by_extension_or_alias() {
    for name in ["webp", "image/webp", "IMAGE/WEBP", ".webp"] {
        assert_eq!(encoding(MediaType::Png, json!({ "to": name })).media(), MediaType::Webp, "{name}");
    }
    assert_eq!(encoding(MediaType::Png, json!({ "to": "image/jpg" })).media(), MediaType::Jpeg);
}

#[test]
fn lossless_is_refused_where_it_can_not_be_kept() {
    assert_eq!(code(json!({ "to": "jpeg", "lossless": true })).0, ErrorCode::LosslessUnsupported);
    assert_eq!(code(json!({ "to": "gif", "lossless": true })).0, ErrorCode::LosslessUnsupported);
    let resized = parse(json!({ "lossless": true, "resize": { "width": 10 } })).expect("valid");
    let error = job::plan(MediaType::Jpeg, &resized).expect_err("coefficients can not be resized");
    assert_eq!(error.code(), ErrorCode::LosslessUnsupported);
}

#[test]
fn what_is_no_image_is_remote() {
    for (input, to) in
        [(MediaType::Mp4, None), (MediaType::Pdf, Some("image/png")), (MediaType::Png, Some("pdf"))]
    {
        let options = parse(json!({ "to": to })).expect("valid");
        assert!(matches!(job::plan(input, &options), Ok(Job::Remote { .. })), "{input:?} → {to:?}");
    }
}
