//! JPEGs with an HDR gain map: Ultra HDR, and Apple's older and newer forms.

use filepress::image::Output;
use serde_json::json;

use super::hdr_files::{
    HDRGM, ISO, SECRET, multi_picture, scans, second_picture, segment, with_segments, xmp,
};
use super::support::{bytes_of, holds, photo, png, read, run};

/// A plain JPEG of a photo.
fn plain(width: u32, height: u32) -> Vec<u8> {
    let pixels = png(image::DynamicImage::ImageRgba8(photo(width, height)).to_rgb8());
    run(&pixels, json!({ "to": "jpeg", "quality": 90 })).expect("a JPEG").bytes.expect("a new file")
}

fn ultra_hdr() -> Vec<u8> {
    let map = with_segments(
        &plain(32, 24),
        &[
            xmp(&format!("xmlns:hdrgm='{HDRGM}' hdrgm:Version='1.0' hdrgm:HDRCapacityMax='2.5'>")),
            segment(0xE2, &[ISO, &[0, 0, 0, 0, 0x40]]),
        ],
    );
    let directory = format!(
        "xmlns:hdrgm='{HDRGM}' xmlns:C='http://ns.google.com/photos/1.0/container/' \
         xmlns:I='http://ns.google.com/photos/1.0/container/item/' hdrgm:Version='1.0'><C:Directory><rdf:Seq><rdf:li>\
         <C:Item I:Semantic='GainMap' I:Length='{}'/></rdf:li></rdf:Seq></C:Directory>",
        map.len()
    );
    multi_picture(&plain(64, 48), &[xmp(&directory), segment(0xE2, &[ISO, &[0, 0, 0, 0]])], &map)
}

fn apple(newer: bool) -> Vec<u8> {
    let properties = "xmlns:apdi='http://ns.apple.com/pixeldatainfo/1.0/' \
         xmlns:HDRGainMap='http://ns.apple.com/HDRGainMap/1.0/' HDRGainMap:HDRGainMapVersion='131072'>\
         <apdi:AuxiliaryImageType>urn:com:apple:photo:2020:aux:hdrgainmap</apdi:AuxiliaryImageType>";
    let mut segments = vec![xmp(properties)];
    if newer {
        segments.push(segment(0xE2, &[ISO, &[0, 0, 0, 0, 0x40]]));
    }
    multi_picture(&plain(64, 48), &[xmp(">")], &with_segments(&plain(32, 24), &segments))
}

fn photos() -> [(&'static str, Vec<u8>); 3] {
    [("Ultra HDR", ultra_hdr()), ("Apple, older", apple(false)), ("Apple, newer", apple(true))]
}

fn warns(output: &Output) -> bool {
    output.report.warnings.iter().any(|warning| warning.code == "gain_map_dropped")
}

#[test]
fn an_output_without_the_map_says_so_and_names_none() {
    for (name, input) in photos() {
        for to in ["jpeg", "png", "webp", "avif", "tiff"] {
            for metadata in ["safe", "keep", "strip"] {
                let output =
                    run(&input, json!({ "to": to, "metadata": metadata, "resize": { "width": 40 } }))
                        .expect("an image");
                assert!(warns(&output), "{name} to {to}, {metadata}");
                let bytes = bytes_of(&output, &input);
                for trace in [HDRGM.as_bytes(), b"MPF\0", ISO, b"photos/1.0/container", b"GainMap"] {
                    assert!(
                        !holds(bytes, trace),
                        "{name} to {to}, {metadata}: {}",
                        String::from_utf8_lossy(trace)
                    );
                }
                if metadata == "keep" && to != "png" {
                    assert!(holds(bytes, SECRET.as_bytes()), "{name} to {to}: XMP is kept otherwise");
                }
            }
        }
    }
}

#[test]
fn a_lossless_jpeg_keeps_the_coded_map() {
    for (name, input) in photos() {
        let coded =
            scans(&input[input.windows(3).rposition(|start| start == [0xFF, 0xD8, 0xFF]).expect("a map")..]);
        for metadata in ["safe", "keep", "strip"] {
            let output =
                run(&input, json!({ "to": "jpeg", "lossless": true, "metadata": metadata })).expect("a JPEG");
            assert!(!warns(&output), "{name}, {metadata}");
            let bytes = bytes_of(&output, &input);
            if metadata == "keep" && output.report.kept_original {
                continue;
            }
            let map = second_picture(bytes);
            assert!(scans(map) == coded, "{name}, {metadata}: the coded data of the map");
            assert_eq!(read(map, "image/jpeg").width(), 32);
            assert_eq!(read(bytes, "image/jpeg"), read(&input, "image/jpeg"), "{name}, {metadata}");
            assert_eq!(holds(bytes, SECRET.as_bytes()), metadata == "keep", "{name}, {metadata}");
            assert_eq!(holds(map, HDRGM.as_bytes()), name == "Ultra HDR");
            assert_eq!(holds(map, b"hdrgainmap"), name != "Ultra HDR");
            assert_eq!(holds(map, ISO), name != "Apple, older");
            if name == "Ultra HDR" {
                let length = format!("Item:Length=\"{}\"", map.len());
                assert!(
                    holds(bytes, length.as_bytes()) && holds(bytes, b"hdrgm:Version=\"1.0\""),
                    "{metadata}"
                );
            }
        }
    }
}

#[test]
fn a_photo_without_map_has_no_warning_and_no_index() {
    let other = plain(32, 24);
    let stereo = multi_picture(&plain(64, 48), &[xmp(">")], &other);
    for input in [plain(64, 48), stereo] {
        for options in [json!({ "to": "png" }), json!({ "to": "jpeg", "lossless": true, "metadata": "keep" })]
        {
            let output = run(&input, options).expect("an image");
            assert!(!warns(&output));
            assert!(output.report.kept_original || !holds(bytes_of(&output, &input), b"MPF\0"));
        }
    }
}

#[test]
fn damaged_maps_are_dropped_with_a_warning() {
    let whole = ultra_hdr();
    for end in (1..whole.len()).step_by(97) {
        let Ok(output) = run(&whole[..end], json!({ "to": "jpeg", "lossless": true })) else { continue };
        let bytes = bytes_of(&output, &whole[..end]);
        assert!(warns(&output) != holds(bytes, b"MPF\0"), "cut at {end}");
    }
}

#[test]
fn a_picture_that_is_cropped_or_turned_without_its_map_says_so() {
    let part = json!({ "x": 16, "y": 16, "width": 33, "height": 20 });
    for (name, input) in photos() {
        for edit in [
            json!({ "crop": part }),
            json!({ "rotate": 90 }),
            json!({ "rotate": 180 }),
            json!({ "flip": "horizontal" }),
            json!({ "flip": "vertical" }),
            json!({ "crop": part, "rotate": 270, "flip": "vertical" }),
            json!({ "resize": { "width": 64, "height": 64, "fit": "contain" } }),
        ] {
            for (lossless, metadata) in
                [(true, "safe"), (true, "keep"), (true, "strip"), (false, "safe"), (false, "keep")]
            {
                if lossless && edit.get("resize").is_some() {
                    continue;
                }
                let mut options = edit.clone();
                options["lossless"] = json!(lossless);
                options["metadata"] = json!(metadata);
                if lossless {
                    options["hdr"] = json!("drop");
                }
                let output = run(&input, options).expect("a JPEG");
                assert!(warns(&output), "{name}, {edit}, lossless {lossless}, {metadata}");
                let bytes = bytes_of(&output, &input);
                for trace in [HDRGM.as_bytes(), b"MPF\0", ISO, b"photos/1.0/container", b"GainMap"] {
                    let trace_name = String::from_utf8_lossy(trace);
                    assert!(
                        !holds(bytes, trace),
                        "{name}, {edit}, lossless {lossless}, {metadata}: {trace_name}"
                    );
                }
            }
        }
    }
}
