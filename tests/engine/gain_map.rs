//! JPEGs with an HDR gain map: Ultra HDR, and Apple's older and newer forms.

use filepress::image::Output;
use serde_json::json;

use super::support::{bytes_of, photo, png, read, run};

const HDRGM: &str = "http://ns.adobe.com/hdr-gain-map/1.0/";
const ISO: &[u8] = b"urn:iso:std:iso:ts:21496:-1\0";
const XMP: &[u8] = b"http://ns.adobe.com/xap/1.0/\0";
const SECRET: &str = "home of the photographer";

fn segment(marker: u8, parts: &[&[u8]]) -> Vec<u8> {
    let payload = parts.concat();
    let length = u16::try_from(payload.len() + 2).expect("a short segment").to_be_bytes();
    [&[0xFF, marker][..], &length, &payload].concat()
}

fn xmp(properties: &str) -> Vec<u8> {
    let packet = format!(
        "<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>\
         <rdf:Description rdf:about='' xmlns:dc='http://purl.org/dc/elements/1.1/' dc:source='{SECRET}' {properties}\
         </rdf:Description></rdf:RDF></x:xmpmeta>"
    );
    segment(0xE1, &[XMP, packet.as_bytes()])
}

/// A plain JPEG.
fn jpeg(width: u32, height: u32) -> Vec<u8> {
    let pixels = png(image::DynamicImage::ImageRgba8(photo(width, height)).to_rgb8());
    run(&pixels, json!({ "to": "jpeg", "quality": 90 })).expect("a JPEG").bytes.expect("a new file")
}

fn with_segments(jpeg: &[u8], segments: &[Vec<u8>]) -> Vec<u8> {
    [&jpeg[..2], &segments.concat(), &jpeg[2..]].concat()
}

/// A picture with these segments, an index of two pictures, and a second picture.
fn multi_picture(segments: &[Vec<u8>], map: &[u8]) -> Vec<u8> {
    let plain = jpeg(64, 48);
    let head = 2 + segments.concat().len();
    let size = plain.len() + segments.concat().len() + 90;
    let number = |value: usize| u32::try_from(value).expect("a small file").to_le_bytes();
    let index = [
        &b"MPF\0II\x2A\0\x08\0\0\0\x03\0"[..],
        b"\x00\xB0\x07\0\x04\0\0\x000100",
        b"\x01\xB0\x04\0\x01\0\0\0\x02\0\0\0",
        b"\x02\xB0\x07\0\x20\0\0\0\x32\0\0\0",
        &[0; 4],
        &[0, 0, 3, 0],
        &number(size),
        &[0; 12],
        &number(map.len()),
        &number(size - head - 8),
        &[0; 4],
    ];
    let index = segment(0xE2, &index);
    assert_eq!(index.len(), 90);
    let all = [segments.to_vec(), vec![index]].concat();
    [with_segments(&plain, &all), map.to_vec()].concat()
}

fn ultra_hdr() -> Vec<u8> {
    let map = with_segments(
        &jpeg(32, 24),
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
    multi_picture(&[xmp(&directory), segment(0xE2, &[ISO, &[0, 0, 0, 0]])], &map)
}

fn apple(newer: bool) -> Vec<u8> {
    let properties = "xmlns:apdi='http://ns.apple.com/pixeldatainfo/1.0/' \
         xmlns:HDRGainMap='http://ns.apple.com/HDRGainMap/1.0/' HDRGainMap:HDRGainMapVersion='131072'>\
         <apdi:AuxiliaryImageType>urn:com:apple:photo:2020:aux:hdrgainmap</apdi:AuxiliaryImageType>";
    let mut segments = vec![xmp(properties)];
    if newer {
        segments.push(segment(0xE2, &[ISO, &[0, 0, 0, 0, 0x40]]));
    }
    multi_picture(&[xmp(">")], &with_segments(&jpeg(32, 24), &segments))
}

fn photos() -> [(&'static str, Vec<u8>); 3] {
    [("Ultra HDR", ultra_hdr()), ("Apple, older", apple(false)), ("Apple, newer", apple(true))]
}

fn holds(bytes: &[u8], text: &[u8]) -> bool {
    bytes.windows(text.len()).any(|window| window == text)
}

fn warns(output: &Output) -> bool {
    output.report.warnings.iter().any(|warning| warning.code == "gain_map_dropped")
}

/// The second picture of a file, by the index of the first.
fn second_picture(file: &[u8]) -> &[u8] {
    let at = file.windows(4).position(|window| window == b"MPF\0").expect("an index") + 4;
    assert_eq!(&file[at..at + 4], b"MM\0\x2A");
    let number = |offset: usize| {
        u32::from_be_bytes(*file[at + offset..].first_chunk().expect("a whole index")) as usize
    };
    let [first, size, offset] = [number(54), number(70), number(74)];
    assert_eq!((first, first + size), (at + offset, file.len()), "the pictures are the whole file");
    &file[first..]
}

/// The entropy-coded data of a JPEG from its first scan on.
fn scans(jpeg: &[u8]) -> &[u8] {
    &jpeg[jpeg.windows(2).position(|pair| pair == [0xFF, 0xDA]).expect("a scan")..]
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
    let other = jpeg(32, 24);
    let stereo = multi_picture(&[xmp(">")], &other);
    for input in [jpeg(64, 48), stereo] {
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
fn a_picture_that_is_cropped_or_turned_loses_its_map_and_says_so() {
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
