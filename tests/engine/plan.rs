//! Options and plans: refused options with their codes, and defaults.

use filepress::job::{self, Encoding, Job, LocalJob, RateControl};
use filepress::media::Build;
use filepress::options::Options;
use filepress::value::Value as SentValue;
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

fn local(input: MediaType, options: Value) -> LocalJob {
    match job::plan(input, &parse(options).expect("valid options")).expect("a plan") {
        Job::Local(job) => job,
        Job::Remote { .. } => panic!("an image was sent to a service"),
    }
}

fn encoding(input: MediaType, options: Value) -> Encoding {
    local(input, options).encoding
}

/// The lossless encoding of a type at the default effort.
fn lossless(media: MediaType) -> Encoding {
    Encoding::lossless(filepress::media::local_support(media).expect("a format"), 4)
}

#[test]
fn a_misspelled_option_is_named() {
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
        json!({ "colors": 1 }),
        json!({ "colors": 257 }),
        json!({ "colors": "16" }),
        json!({ "dither": -0.1 }),
        json!({ "dither": 1.5 }),
        json!({ "dither": true }),
        json!({ "chroma": "422" }),
        json!({ "chroma": 444 }),
        json!({ "resize": { "width": 0 } }),
        json!({ "resize": { "maxHeight": 16_384 } }),
        json!({ "resize": { "fit": "stretch" } }),
        json!({ "resize": { "position": "middle" } }),
        json!({ "resize": { "position": "left right" } }),
        json!({ "resize": { "position": "center left" } }),
        json!({ "resize": { "width": 9, "height": 9, "position": "attention" } }),
        json!({ "resize": { "width": 9, "height": 9, "fit": "contain", "position": "entropy" } }),
        json!({ "resize": { "width": 9, "height": 9, "fit": "cover", "position": "attention top" } }),
        json!({ "rotate": 45 }),
        json!({ "rotate": -90 }),
        json!({ "rotate": 360 }),
        json!({ "flip": true }),
        json!({ "crop": "50%" }),
        json!({ "crop": { "width": 0 } }),
        json!({ "crop": { "x": 1.5 } }),
        json!({ "crop": { "x": "10" } }),
        json!({ "crop": { "width": "100.5%" } }),
        json!({ "crop": { "x": "-1%" } }),
        json!({ "resize": { "fit": "pad" } }),
        json!({ "background": "#12" }),
        json!({ "background": "#ggg" }),
        json!({ "background": "rebeccapurple" }),
        json!({ "metadata": "all" }),
        json!({ "limits": { "maxPixels": -1 } }),
        json!({ "to": "image/nothing" }),
        json!({ "quality": "best" }),
        json!({ "minScore": 0.5 }),
        json!({ "minScore": "80" }),
        json!({ "targetSize": 0 }),
        json!({ "targetSize": 10.5 }),
        json!({ "animation": true }),
        json!({ "hdr": "yes" }),
        json!({ "fonts": "sans-serif" }),
        json!({ "fonts": ["sans-serif"] }),
        json!({ "targetSize": 1000, "quality": "auto" }),
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
    assert_eq!(encoding(MediaType::Jpeg, json!({})), lossless(MediaType::Jpeg).at_quality(80));
    assert_eq!(encoding(MediaType::Webp, json!({})), lossless(MediaType::Webp).at_quality(80));
    assert_eq!(encoding(MediaType::Png, json!({})), lossless(MediaType::Png));
    assert_eq!(encoding(MediaType::Png, json!({ "quality": 70 })), lossless(MediaType::Png).at_quality(70));
    assert_eq!(
        encoding(MediaType::Png, json!({ "quality": 70, "lossless": true })),
        lossless(MediaType::Png)
    );
    assert_eq!(encoding(MediaType::Webp, json!({ "lossless": true })), lossless(MediaType::Webp));
    assert_eq!(encoding(MediaType::Jpeg, json!({ "lossless": true })), lossless(MediaType::Jpeg));
    assert_eq!(encoding(MediaType::Avif, json!({})), lossless(MediaType::Avif).at_quality(60));
    assert_eq!(encoding(MediaType::Avif, json!({ "lossless": true })), lossless(MediaType::Avif));
    assert_eq!(encoding(MediaType::Exr, json!({})), lossless(MediaType::Exr));
    assert_eq!(encoding(MediaType::Dds, json!({ "quality": 70 })), lossless(MediaType::Dds).at_quality(70));
}

#[test]
fn target_size_searches_down_from_the_highest_quality() {
    let job = local(MediaType::Jpeg, json!({ "targetSize": 20_000 }));
    assert_eq!(job.encoding, lossless(MediaType::Jpeg).at_quality(100));
    assert_eq!(job.rate_control, RateControl::Bytes { target: 20_000, lossy: true, scales: true });
    let bounded = local(MediaType::Jpeg, json!({ "targetSize": 20_000, "quality": 70 }));
    assert_eq!(bounded.encoding.quality(), Some(70));
    let png = local(MediaType::Png, json!({ "targetSize": 20_000 }));
    assert_eq!(png.encoding, lossless(MediaType::Png), "lossless, if that is small enough");
}

#[test]
fn an_exact_request_is_not_searched() {
    let rate_control = |options| local(MediaType::Png, options).rate_control;
    let exact = json!({ "targetSize": 9_000, "resize": { "width": 100 } });
    assert_eq!(rate_control(exact), RateControl::Bytes { target: 9_000, lossy: true, scales: false });
    let bounded = json!({ "targetSize": 9_000, "resize": { "maxWidth": 100 } });
    assert_eq!(rate_control(bounded), RateControl::Bytes { target: 9_000, lossy: true, scales: true });
    let lossless = json!({ "targetSize": 9_000, "lossless": true });
    assert_eq!(rate_control(lossless), RateControl::Bytes { target: 9_000, lossy: false, scales: false });
}

#[test]
fn auto_quality_applies_to_lossy_formats() {
    for to in ["jpeg", "webp", "avif", "png"] {
        let job = local(MediaType::Png, json!({ "to": to, "quality": "auto" }));
        assert_eq!((job.rate_control, job.build), (RateControl::Score(80.0), Build::Full), "{to}");
        assert!(job.ignored.is_empty(), "{to}");
    }
    let job = local(MediaType::Png, json!({ "to": "jpeg", "quality": "auto", "minScore": 70.5 }));
    assert_eq!(job.rate_control, RateControl::Score(70.5));
    let bmp = local(MediaType::Png, json!({ "to": "bmp", "quality": "auto", "minScore": 70 }));
    assert_eq!(
        (bmp.rate_control, bmp.ignored.as_slice()),
        (RateControl::Settings, ["quality", "minScore"].as_slice())
    );
    for (to, media) in [("exr", MediaType::Exr), ("dds", MediaType::Dds)] {
        let job = local(media, json!({ "to": to, "quality": "auto" }));
        assert_eq!((job.encoding.quality(), job.ignored.as_slice()), (None, ["quality"].as_slice()), "{to}");
    }
}

#[test]
fn options_of_palettes_and_chroma_are_refused_for_other_outputs() {
    for (options, option, output) in [
        (json!({ "to": "jpeg", "colors": 16 }), "colors", "JPEG"),
        (json!({ "to": "webp", "dither": 0 }), "dither", "WebP"),
        (json!({ "to": "png", "chroma": "444" }), "chroma", "PNG"),
        (json!({ "to": "webp", "chroma": "420" }), "chroma", "WebP"),
        (json!({ "to": "bmp", "colors": 2 }), "colors", "BMP"),
        (json!({ "lossless": true, "colors": 16 }), "colors", "lossless"),
        (json!({ "lossless": true, "dither": 1 }), "dither", "lossless"),
        (json!({ "to": "avif", "lossless": true, "chroma": "444" }), "chroma", "lossless"),
    ] {
        let (code, message) = code(options.clone());
        assert_eq!(code, ErrorCode::InvalidOption, "{options}");
        assert!(message.contains(&format!("options.{option} ")) && message.contains(output), "{message}");
    }
    // The caller may not know the type of the input.
    let ignored = |input, options| local(input, options).ignored;
    let all = json!({ "colors": 16, "dither": 0.5, "chroma": "444" });
    assert_eq!(ignored(MediaType::Jpeg, all.clone()), ["colors", "dither"]);
    assert_eq!(ignored(MediaType::Png, all.clone()), ["chroma"]);
    assert_eq!(ignored(MediaType::Webp, all.clone()), ["colors", "dither", "chroma"]);
    assert_eq!(ignored(MediaType::Exr, all.clone()), ["colors", "dither", "chroma"]);
    assert_eq!(encoding(MediaType::Exr, all).quality(), None, "it stays lossless");
    // What is as it would be without the option is no reason to refuse anything.
    assert!(ignored(MediaType::Png, json!({ "to": "webp", "chroma": "auto", "lossless": true })).is_empty());
    // A server gets those that the output has, and the others are ignored.
    for (to, sent) in [("gif", ["colors", "dither"].as_slice()), ("jpeg", &["chroma"]), ("mp4", &[])] {
        let options = json!({ "to": to, "colors": 16, "dither": 0.5, "chroma": "420" });
        let options = parse(options).expect("valid");
        let Ok(Job::Remote(job)) = job::plan(MediaType::Mp4, &options) else { panic!("for this device") };
        let values = [
            ("colors", SentValue::Number(16.0)),
            ("dither", SentValue::Number(0.5)),
            ("chroma", SentValue::String("420".to_owned())),
        ];
        let SentValue::Object(settings) = &job.settings else { panic!("settings are an object") };
        for (name, value) in values {
            let given = settings.iter().find(|(member, _)| member == name).map(|(_, value)| value);
            let expected = sent.contains(&name).then_some(&value);
            assert_eq!((given, job.ignored.contains(&name)), (expected, expected.is_none()), "{to}: {name}");
        }
    }
}

#[test]
fn what_no_tool_of_a_server_has_is_refused_or_ignored_before_anything_is_sent() {
    let planned = |input, options| job::plan(input, &parse(options).expect("valid"));
    for (input, to) in [(MediaType::Jpeg, "pdf"), (MediaType::Mp4, "gif")] {
        let error = planned(input, json!({ "to": to, "lossless": true })).expect_err("an error");
        assert_eq!(error.code(), ErrorCode::LosslessUnsupported, "{to}");
        assert!(planned(input, json!({ "to": to, "lossless": false })).is_ok(), "{to}");
    }
    for (input, to) in [(MediaType::Mp4, "webp"), (MediaType::Mp4, "png"), (MediaType::Pdf, "pdf")] {
        let Ok(Job::Remote(job)) = planned(input, json!({ "to": to, "lossless": true })) else {
            panic!("for this device")
        };
        assert!(job.ignored.is_empty(), "{to}");
    }
    for (to, is_sent) in [("gif", false), ("webp", false), ("png", true)] {
        let Ok(Job::Remote(job)) = planned(MediaType::Mp4, json!({ "to": to, "background": "#000" })) else {
            panic!("for this device")
        };
        let SentValue::Object(settings) = &job.settings else { panic!("settings are an object") };
        assert_eq!(settings.iter().any(|(name, _)| name == "background"), is_sent, "{to}");
        assert_eq!(job.ignored.contains(&"background"), !is_sent, "{to}");
    }
}

#[test]
fn colors_make_a_palette_at_the_highest_quality() {
    let png = |options| encoding(MediaType::Png, options);
    assert_eq!(png(json!({ "colors": 16 })).quality(), Some(100));
    assert_eq!(png(json!({ "colors": 16, "quality": 50 })).quality(), Some(50));
    assert_eq!(png(json!({ "dither": 0 })).quality(), Some(100));
    assert_eq!(encoding(MediaType::Gif, json!({ "colors": 16 })).quality(), Some(100));
    let sized = local(MediaType::Png, json!({ "colors": 16, "targetSize": 900 }));
    assert_eq!(sized.encoding.quality(), Some(100), "lossless is not tried");
    assert_eq!(sized.rate_control, RateControl::Bytes { target: 900, lossy: true, scales: true });
}

#[test]
fn the_build_follows_from_input_and_output() {
    let build = |input, to| local(input, json!({ "to": to })).build;
    assert_eq!(build(MediaType::Png, "webp"), Build::Core);
    assert_eq!(build(MediaType::Jpeg, "webp"), Build::Photo);
    assert_eq!(build(MediaType::Jpeg, "jpg"), Build::Photo);
    assert_eq!(build(MediaType::Jpeg, "png"), Build::Core);
    let padded = |to, background: Option<&str>| {
        let resize = json!({ "width": 9, "height": 9, "fit": "contain" });
        local(MediaType::Jpeg, json!({ "to": to, "resize": resize, "background": background })).build
    };
    assert_eq!([padded("jpg", None), padded("webp", Some("#fff"))], [Build::Photo; 2]);
    assert_eq!(padded("webp", None), Build::Core, "it has transparent pixels");
    assert_eq!(build(MediaType::Webp, "jpg"), Build::Core);
    let hdr = |to: &str, hdr: &str| local(MediaType::Jpeg, json!({ "to": to, "hdr": hdr })).build;
    assert_eq!(
        [hdr("jpg", "keep"), hdr("jpg", "drop")],
        [Build::Core, Build::Photo],
        "Photo has no gain maps"
    );
    assert_eq!(hdr("webp", "keep"), Build::Photo, "WebP keeps none");
    assert_eq!(
        [hdr("avif", "keep"), hdr("avif", "drop")],
        [Build::Full, Build::PhotoAvif],
        "PhotoAvif has none either"
    );
    assert_eq!(build(MediaType::Tiff, "webp"), Build::Full);
    assert_eq!(build(MediaType::Jpeg, "avif"), Build::PhotoAvif);
    let avif = |options: Value| local(MediaType::Jpeg, options).build;
    assert_eq!(avif(json!({ "to": "avif", "lossless": true })), Build::PhotoAvif);
    assert_eq!(avif(json!({ "to": "avif", "targetSize": 900 })), Build::PhotoAvif);
    assert_eq!(avif(json!({ "to": "avif", "quality": "auto" })), Build::Full);
    assert_eq!([padded("avif", Some("#fff")), padded("avif", None)], [Build::PhotoAvif, Build::Avif]);
    let cropped = |to, position: &str| {
        let resize = json!({ "width": 9, "height": 9, "fit": "cover", "position": position });
        local(MediaType::Jpeg, json!({ "to": to, "resize": resize })).build
    };
    assert_eq!(
        ["top", "attention", "entropy"].map(|at| cropped("jpg", at)),
        [Build::Photo, Build::Core, Build::Core]
    );
    assert_eq!(["top", "attention"].map(|at| cropped("avif", at)), [Build::PhotoAvif, Build::Avif]);
    let full_chroma = |to: &str| local(MediaType::Jpeg, json!({ "to": to, "chroma": "444" })).build;
    assert_eq!([full_chroma("jpg"), full_chroma("avif")], [Build::Photo, Build::PhotoAvif]);
    assert_eq!(
        [MediaType::Png, MediaType::Webp, MediaType::Gif].map(|from| build(from, "avif")),
        [Build::Avif, Build::Avif, Build::Full]
    );
    assert_eq!(local(MediaType::Png, json!({ "to": "avif", "quality": "auto" })).build, Build::Full);
    assert_eq!(build(MediaType::Avif, "avif"), Build::Full, "it has to be read as well");
    assert_eq!(build(MediaType::Avif, "webp"), Build::Full);
}

#[test]
fn images_are_not_converted_to_svg() {
    assert_eq!(code(json!({ "to": "svg" })).0, ErrorCode::UnsupportedOutput);
    assert_eq!(encoding(MediaType::Svg, json!({})), lossless(MediaType::Svg));
}

#[test]
fn an_output_may_be_named_by_extension_or_alias() {
    for name in ["webp", "image/webp", "IMAGE/WEBP", ".webp"] {
        assert_eq!(encoding(MediaType::Png, json!({ "to": name })).media(), MediaType::Webp, "{name}");
    }
    assert_eq!(encoding(MediaType::Png, json!({ "to": "image/jpg" })).media(), MediaType::Jpeg);
}

#[test]
fn lossless_is_refused_where_it_is_impossible() {
    assert_eq!(code(json!({ "to": "jpeg", "lossless": true })).0, ErrorCode::LosslessUnsupported);
    assert_eq!(code(json!({ "to": "gif", "lossless": true })).0, ErrorCode::LosslessUnsupported);
    let resized = parse(json!({ "lossless": true, "resize": { "width": 10 } })).expect("valid");
    let error = job::plan(MediaType::Jpeg, &resized).expect_err("coefficients cannot be resized");
    assert_eq!(error.code(), ErrorCode::LosslessUnsupported);
}

#[test]
fn other_media_are_remote() {
    for (input, to) in
        [(MediaType::Mp4, None), (MediaType::Pdf, Some("image/png")), (MediaType::Png, Some("pdf"))]
    {
        let options = parse(json!({ "to": to })).expect("valid");
        assert!(matches!(job::plan(input, &options), Ok(Job::Remote { .. })), "{input:?} → {to:?}");
    }
}

#[test]
fn what_no_server_does_to_a_picture_is_refused() {
    for (options, option) in [
        (json!({ "crop": { "width": 10 } }), "crop"),
        (json!({ "rotate": 90 }), "rotate"),
        (json!({ "flip": "vertical" }), "flip"),
        (json!({ "resize": { "width": 10, "height": 10, "fit": "outside" } }), "resize.fit"),
        (json!({ "resize": { "width": 10, "height": 10, "fit": "contain" } }), "resize.fit"),
        (
            json!({ "resize": { "width": 10, "height": 10, "fit": "cover", "position": "top" } }),
            "resize.position",
        ),
        (
            json!({ "resize": { "width": 10, "height": 10, "fit": "cover", "position": "attention" } }),
            "resize.position",
        ),
    ] {
        let error = job::plan(MediaType::Mp4, &parse(options).expect("valid")).expect_err("a refusal");
        assert_eq!(error.code(), ErrorCode::InvalidOption);
        assert!(error.message().contains(option), "{}", error.message());
    }
    assert!(job::plan(MediaType::Mp4, &parse(json!({ "rotate": 0 })).expect("valid")).is_ok());
}
