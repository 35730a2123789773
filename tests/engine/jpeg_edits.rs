//! Crop and turn of JPEGs without loss, and what happens to their metadata.

use filepress::ErrorCode;
use filepress::error::Detail;
use filepress::image::Output;
use image::{DynamicImage, GenericImageView};
use serde_json::{Value, json};

use super::geometry::turned_jpeg;
use super::support::{bytes_of, difference, holds, photo, png, read, run};

fn lossless(input: &[u8], mut options: Value) -> Output {
    options["lossless"] = json!(true);
    run(input, options).expect("a JPEG")
}

/// Checks the upright pixels of a JPEG. A decoder rounds rows and columns differently, by a step.
fn assert_same(jpeg: &[u8], expected: &DynamicImage, what: &str) {
    let output = run(jpeg, json!({ "to": "png", "effort": 0 })).expect("a PNG");
    let made = read(bytes_of(&output, jpeg), "image/png");
    let off = difference(&made, expected);
    assert!(off < 0.7, "{what}: mean difference {off}");
}

/// The EXIF orientation of a file; 1 without EXIF.
fn orientation(jpeg: &[u8]) -> u8 {
    filepress::image::inspect(jpeg, filepress_wire::MediaType::Jpeg, &Default::default())
        .expect("a header")
        .orientation
}

fn codes(output: &Output) -> Vec<&str> {
    output.report.warnings.iter().map(|warning| warning.code).collect()
}

#[test]
fn whole_blocks_are_turned_and_cropped_without_loss() {
    // Chroma in full resolution, so that blocks have 8 × 8 pixels.
    for value in 1..=8 {
        let (input, whole) = turned_jpeg(value, (96, 64));
        for rotate in [90, 180, 270] {
            let output = lossless(&input, json!({ "rotate": rotate }));
            let bytes = bytes_of(&output, &input);
            let expected = match rotate {
                90 => whole.rotate90(),
                180 => whole.rotate180(),
                _ => whole.rotate270(),
            };
            assert_eq!(orientation(bytes), 1, "orientation {value}, {rotate}°");
            assert_same(bytes, &expected, &format!("orientation {value}, {rotate}°"));
            assert_eq!(codes(&output), [""; 0]);
        }
    }
    let (input, whole) = turned_jpeg(1, (96, 64));
    let crop = json!({ "x": 16, "y": 8, "width": 41, "height": 23 });
    let output = lossless(&input, json!({ "crop": crop }));
    assert_same(bytes_of(&output, &input), &whole.crop_imm(16, 8, 41, 23), "a part");
    assert_eq!((output.report.width, output.report.height), (41, 23));
}

#[test]
fn a_turn_that_parts_of_blocks_forbid_is_left_to_exif_and_said() {
    for value in [1, 3, 6] {
        let (input, whole) = turned_jpeg(value, (93, 61));
        let output = lossless(&input, json!({ "rotate": 180, "flip": "horizontal", "metadata": "strip" }));
        let bytes = bytes_of(&output, &input);
        assert_same(bytes, &whole.rotate180().fliph(), &format!("orientation {value}"));
        assert_eq!(codes(&output), ["turned_by_exif"], "orientation {value}");
        assert_ne!(orientation(bytes), 1);
        assert_eq!((output.report.width, output.report.height), whole.dimensions());
    }
    // What both turns make of this one is that rows become columns, which any size allows.
    let (input, whole) = turned_jpeg(8, (93, 61));
    let output = lossless(&input, json!({ "rotate": 180, "flip": "horizontal" }));
    assert_same(bytes_of(&output, &input), &whole.rotate180().fliph(), "transposed");
    assert_eq!(codes(&output), [""; 0]);
}

#[test]
fn a_part_that_begins_within_a_block_is_refused_with_one_that_does_not() {
    for value in [1, 6, 7] {
        let (input, whole) = turned_jpeg(value, (96, 64));
        let crop = json!({ "x": 9, "y": 17, "width": 20, "height": 30 });
        let error = run(&input, json!({ "lossless": true, "crop": crop })).expect_err("a refusal");
        assert_eq!(error.code(), ErrorCode::LosslessUnsupported);
        let number = |name: &str| match error.details().get(name) {
            Some(Detail::Number(number)) => *number as u32,
            other => panic!("{name}: {other:?}"),
        };
        let [x, y, width, height] = ["x", "y", "width", "height"].map(number);
        assert!(x <= 9 && y <= 17 && x + width >= 29 && y + height >= 47 && width < 36 && height < 46);
        let possible = json!({ "x": x, "y": y, "width": width, "height": height });
        let output = lossless(&input, json!({ "crop": possible }));
        let expected = whole.crop_imm(x, y, width, height);
        assert_same(bytes_of(&output, &input), &expected, &format!("orientation {value}"));
    }
}

/// The tags of the offset and of the length of a thumbnail that is a JPEG, and of one in strips.
const THUMBNAILS: [(u16, u16); 2] = [(0x0201, 0x0202), (0x0111, 0x0117)];

/// EXIF with the size of the picture, and a thumbnail in a second directory.
fn exif(orientation: u32, width: u16, height: u32, thumbnail: &[u8], tags: (u16, u16)) -> Vec<u8> {
    let field = |tag: u16, kind: u16, value: u32| {
        let value = if kind == 3 { value << 16 } else { value };
        [&tag.to_be_bytes()[..], &kind.to_be_bytes(), &1_u32.to_be_bytes(), &value.to_be_bytes()].concat()
    };
    let (own, second): (u32, u32) = (8 + 2 + 2 * 12 + 4, 8 + 2 + 2 * 12 + 4 + 2 + 2 * 12 + 4);
    let behind = second + 2 + 2 * 12 + 4;
    [
        &b"MM\0\x2A\0\0\0\x08\0\x02"[..],
        &field(0x0112, 3, orientation),
        &field(0x8769, 4, own),
        &second.to_be_bytes(),
        &[0, 2],
        &field(0xA002, 3, width.into()),
        &field(0xA003, 4, height),
        &[0; 4],
        &[0, 2],
        &field(tags.0, 4, behind),
        &field(tags.1, 3, thumbnail.len() as u32),
        &[0; 4],
        thumbnail,
    ]
    .concat()
}

#[test]
fn kept_exif_has_the_new_size_and_no_old_thumbnail() {
    let secret = b"what was cut off";
    let plain = run(&png(photo(96, 64)), json!({ "to": "jpeg", "quality": 95 })).expect("a JPEG");
    let plain = plain.bytes.expect("another type");
    for (options, size) in [
        (json!({ "crop": { "x": 8, "y": 16, "width": 40, "height": 32 } }), (40, 32)),
        (json!({ "crop": { "x": 8, "y": 16, "width": 40, "height": 32 }, "lossless": true }), (40, 32)),
        (json!({ "rotate": 90, "lossless": true }), (64, 96)),
        (json!({ "rotate": 90, "resize": { "width": 32 }, "to": "webp" }), (32, 48)),
        (json!({ "resize": { "width": 48 } }), (48, 32)),
        (json!({ "resize": { "width": 40, "height": 40, "fit": "cover" } }), (40, 40)),
    ] {
        for tags in THUMBNAILS {
            let input = with_exif(&plain, &exif(1, 96, 64, secret, tags));
            let mut options = options.clone();
            options["metadata"] = json!("keep");
            let output = run(&input, options.clone()).expect("a result");
            let bytes = bytes_of(&output, &input);
            assert!(holds(bytes, &reframed(size, secret.len(), tags)), "{options}");
            assert!(!holds(bytes, secret), "{options}");
        }
    }
    let input = with_exif(&plain, &exif(1, 96, 64, secret, THUMBNAILS[0]));
    let kept = run(&input, json!({ "metadata": "keep", "quality": 30 })).expect("a result");
    assert!(holds(bytes_of(&kept, &input), secret), "in the same geometry nothing is removed");
    // One that is turned upright has another size, and a thumbnail that is not.
    let input = with_exif(&plain, &exif(6, 96, 64, secret, THUMBNAILS[0]));
    let output = run(&input, json!({ "metadata": "keep", "quality": 30 })).expect("a result");
    let bytes = bytes_of(&output, &input);
    assert!(holds(bytes, &reframed((64, 96), secret.len(), THUMBNAILS[0])) && !holds(bytes, secret));
}

/// A JPEG with this EXIF.
fn with_exif(plain: &[u8], exif: &[u8]) -> Vec<u8> {
    let length = (exif.len() as u16 + 8).to_be_bytes();
    [&plain[..2], &[0xFF, 0xE1], &length, b"Exif\0\0", exif, &plain[2..]].concat()
}

/// What becomes of [`exif`] where the picture becomes another one: the chain of directories ends before the thumbnail's.
fn reframed((width, height): (u16, u32), thumbnail: usize, tags: (u16, u16)) -> Vec<u8> {
    let mut expected = exif(1, width, height, &vec![0; thumbnail], tags);
    expected[34..38].fill(0);
    expected
}

#[test]
fn kept_xmp_has_no_thumbnail_of_what_was_cut_off() {
    let plain = run(&png(photo(96, 64)), json!({ "to": "jpeg", "quality": 95 })).expect("a JPEG");
    let plain = plain.bytes.expect("another type");
    for prefix in ["xmp", "other"] {
        let thumbnail = format!(
            "<{prefix}:Thumbnails><rdf:Alt><rdf:li g:width='9' g:image='c2VjcmV0'/></rdf:Alt></{prefix}:Thumbnails><{prefix}:Thumbnails />"
        );
        let packet =
            |thumbnail: &str| format!("<x:xmpmeta><rdf:RDF>{thumbnail}<a:b>kept</a:b></rdf:RDF></x:xmpmeta>");
        let payload = format!("http://ns.adobe.com/xap/1.0/\0{}", packet(&thumbnail));
        let length = (payload.len() as u16 + 2).to_be_bytes();
        let input = [&plain[..2], &[0xFF, 0xE1], &length, payload.as_bytes(), &plain[2..]].concat();
        for lossless in [true, false] {
            let crop = json!({ "x": 16, "y": 16, "width": 40, "height": 32 });
            let options = json!({ "crop": crop, "lossless": lossless, "metadata": "keep" });
            let output = run(&input, options).expect("a JPEG");
            let bytes = bytes_of(&output, &input);
            assert!(
                holds(bytes, packet("").as_bytes()) && !holds(bytes, b"c2VjcmV0"),
                "{prefix}, {lossless}"
            );
        }
        let kept = run(&input, json!({ "metadata": "keep", "quality": 30 })).expect("a JPEG");
        assert!(holds(bytes_of(&kept, &input), thumbnail.as_bytes()), "the same picture");
    }
}

#[test]
fn exif_without_an_orientation_gets_one_and_keeps_the_rest() {
    let picture = photo(93, 61);
    let plain = run(&png(picture.clone()), json!({ "to": "jpeg", "quality": 95 })).expect("a JPEG");
    let plain = plain.bytes.expect("another type");
    for big in [true, false] {
        let short = |number: u16| if big { number.to_be_bytes() } else { number.to_le_bytes() };
        let long = |number: u32| if big { number.to_be_bytes() } else { number.to_le_bytes() };
        let field = |tag: u16, kind: u16, count: u32, value: [u8; 4]| {
            [&short(tag)[..], &short(kind), &long(count), &value].concat()
        };
        let mark: &[u8] = if big { b"MM\0*" } else { b"II*\0" };
        let exif = [
            mark,
            &long(8),
            &short(2),
            &field(0x010F, 2, 12, long(8 + 2 + 24 + 4)),
            &field(0x0131, 2, 4, *b"abc\0"),
            &[0; 4],
            b"A camera's x\0",
        ]
        .concat();
        let input = with_exif(&plain, &exif);
        let output = lossless(&input, json!({ "flip": "horizontal", "metadata": "keep" }));
        let bytes = bytes_of(&output, &input);
        assert!(codes(&output).contains(&"turned_by_exif"));
        assert_eq!(orientation(bytes), 2);
        let moved = [
            &short(3)[..],
            &field(0x010F, 2, 12, long(8 + 2 + 24 + 4)),
            &field(0x0112, 3, 1, [short(2), [0; 2]].concat().try_into().expect("four bytes")),
            &field(0x0131, 2, 4, *b"abc\0"),
            &[0; 4],
        ]
        .concat();
        assert!(
            holds(bytes, b"A camera's x\0") && holds(bytes, &moved),
            "the directory moves, what it refers to stays"
        );
    }
}

#[test]
fn what_an_edited_file_loses_is_said() {
    let plain = run(&png(photo(96, 64)), json!({ "to": "jpeg", "quality": 95 })).expect("a JPEG");
    let plain = plain.bytes.expect("another type");
    let comment: &[u8] = b"\xFF\xFE\0\x09comment";
    let input = [&plain[..2], comment, &plain[2..]].concat();
    let output = lossless(&input, json!({ "rotate": 90, "metadata": "keep" }));
    assert_eq!(codes(&output), ["metadata_dropped"]);
    let output = lossless(&input, json!({ "rotate": 90 }));
    assert_eq!(codes(&output), [""; 0], "nothing was to be kept");
}

#[test]
fn stray_bytes_between_segments_lose_no_metadata() {
    let plain = run(&png(photo(96, 64)), json!({ "to": "jpeg", "quality": 95 })).expect("a JPEG");
    let plain = plain.bytes.expect("another type");
    let exif = exif(6, 96, 64, b"", THUMBNAILS[0]);
    let length = (exif.len() as u16 + 8).to_be_bytes();
    assert_eq!(plain[2..6], [0xFF, 0xE0, 0, 16]);
    for stray in [&[][..], &[0], &[0xFF, 0], &[1, 2, 3]] {
        let input = [&plain[..20], stray, &[0xFF, 0xE1], &length, b"Exif\0\0", &exif, &plain[20..]].concat();
        assert_eq!(orientation(&input), 6, "{stray:?}");
        let output = lossless(&input, json!({ "metadata": "keep" }));
        assert_eq!(orientation(bytes_of(&output, &input)), 6, "{stray:?}");
    }
}

#[test]
fn a_part_takes_the_memory_of_all_coefficients() {
    // Of one scan, which could be read without its coefficients.
    let coded = run(&png(photo(512, 512)), json!({ "to": "jpeg", "quality": 95, "effort": 0 }));
    let input = coded.expect("a JPEG").bytes.expect("another type");
    assert!(holds(&input, &[0xFF, 0xC0]), "baseline");
    let crop = |bytes: usize| {
        let part = json!({ "width": 16, "height": 16, "x": 0, "y": 0 });
        let limits = json!({ "maxMemoryBytes": input.len() + bytes });
        run(&input, json!({ "lossless": true, "crop": part, "limits": limits }))
    };
    crop(10 * 512 * 512).expect("enough");
    let error = crop(6 * 512 * 512).expect_err("too little");
    assert_eq!(error.code(), ErrorCode::TooMuchMemory, "{error}");
    // It is known before any coefficient is read: three components, two bytes for each coefficient.
    let Some(Detail::Number(needed)) = error.details().get("needBytes") else { panic!("{error}") };
    assert!(*needed >= 6.0 * 512.0 * 512.0, "{needed}");
}
