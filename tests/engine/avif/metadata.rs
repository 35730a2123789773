//! Metadata in AVIF files.

use std::io::Cursor;

use moxcms::ColorProfile;
use serde_json::{Value, json};

use super::super::support::{bytes_of, holds, photo, png, run};
use super::boxes::{Coded, Item, PLAIN, code, file, part};
use super::{color, inspect, shown};

const XMP: &str = "<x:xmpmeta xmlns:x='adobe:ns:meta/' tiff:Orientation='6'>here</x:xmpmeta>";

/// EXIF with an orientation of 6, a copyright and a place.
fn exif() -> Vec<u8> {
    let field = |tag: u16, kind: u16, count: u32, value: [u8; 4]| {
        [&tag.to_be_bytes()[..], &kind.to_be_bytes(), &count.to_be_bytes(), &value].concat()
    };
    let fields = [
        field(0x0112, 3, 1, [0, 6, 0, 0]),
        field(0x8298, 2, 4, *b"Ann\0"),
        field(0x8825, 4, 1, 50u32.to_be_bytes()),
    ];
    let place = [&[0, 1][..], &field(1, 2, 2, *b"N\0\0\0"), &[0; 4]].concat();
    [b"MM\0*\0\0\0\x08\0\x03".to_vec(), fields.concat(), vec![0; 4], place].concat()
}

fn picture(quantizer: u8) -> Coded {
    code((64, 48), &PLAIN, quantizer, &|x, y| {
        let [red, green, blue, _] = color(x, y);
        [red, green, blue]
    })
}

/// A file of another program, with all that it can say, a preview among it.
fn talkative(quantizer: u8) -> Vec<u8> {
    let icc = ColorProfile::new_display_p3().encode().expect("a profile");
    let coded = Item::coded(&picture(quantizer))
        .with(part(b"colr", &[b"prof", &icc]), false)
        .with(part(b"udes", &[&[0; 4], b"en\0my garden\0\0"]), false);
    let mut info = b"\0application/rdf+xml\0".to_vec();
    let xmp = Item { info: info.clone(), ..Item::new(b"mime", XMP.as_bytes()) };
    info = b"\0text/plain\0".to_vec();
    let note = Item { info, ..Item::new(b"mime", b"a note to myself") };
    // The structure begins behind a prefix, which the first four bytes say.
    let exif = [&6u32.to_be_bytes()[..], b"Exif\0\0", &exif()].concat();
    let items = [coded, Item::new(b"Exif", &exif), xmp, note, Item::coded(&picture(250))];
    let references: [(&[u8; 4], u16, &[u16]); 4] =
        [(b"cdsc", 2, &[1]), (b"cdsc", 3, &[1]), (b"cdsc", 4, &[1]), (b"thmb", 5, &[1])];
    file(&items, &references, &part(b"free", &[b"something left over"]))
}

/// The EXIF of a file, as a library reads it that knows nothing of this crate.
fn fields(avif: &[u8]) -> Vec<(exif::Tag, String)> {
    let reader = exif::Reader::new();
    let Ok(found) = reader.read_from_container(&mut Cursor::new(avif)) else { return Vec::new() };
    found.fields().map(|field| (field.tag, field.display_value().to_string())).collect()
}

fn converted(input: &[u8], options: Value) -> Vec<u8> {
    let output = run(input, options).expect("a result");
    bytes_of(&output, input).to_vec()
}

#[test]
fn policies_decide_what_a_new_file_says() {
    let input = talkative(8);
    for (policy, place, author, xmp) in
        [("keep", true, true, true), ("safe", false, true, false), ("strip", false, false, false)]
    {
        let options = json!({ "to": "avif", "quality": 30, "metadata": policy, "resize": { "width": 32 } });
        let small = converted(&input, options);
        let fields = fields(&small);
        let has = |tag| fields.iter().any(|(found, _)| *found == tag);
        assert_eq!((has(exif::Tag::GPSLatitudeRef), has(exif::Tag::Copyright)), (place, author), "{policy}");
        assert_eq!(holds(&small, b"here</x:xmpmeta>"), xmp, "{policy}");
        assert!(!holds(&small, b"my garden") && !holds(&small, b"note to myself"), "{policy}");
        assert!(inspect(&small).has_icc_profile, "{policy}: P3 says what the numbers mean");
        assert_eq!((inspect(&small).width, shown(&small).width()), (32, 32));
    }
}

#[test]
fn a_kept_original_says_what_the_policy_lets_through() {
    // Coarse already: finer pixels are no gain.
    let input = talkative(230);
    for (policy, place, author, xmp) in
        [("keep", true, true, true), ("safe", false, true, false), ("strip", false, false, false)]
    {
        let output = run(&input, json!({ "quality": 100, "metadata": policy })).expect("a result");
        assert!(output.report.kept_original, "{policy}");
        let kept = bytes_of(&output, &input);
        let fields = fields(kept);
        let has = |tag| fields.iter().any(|(found, _)| *found == tag);
        assert_eq!((has(exif::Tag::GPSLatitudeRef), has(exif::Tag::Copyright)), (place, author), "{policy}");
        assert_eq!(holds(kept, b"here</x:xmpmeta>"), xmp, "{policy}");
        let spoken = [b"my garden".as_slice(), b"note to myself", b"something left over", b"a name"];
        for words in spoken {
            assert_eq!(holds(kept, words), policy == "keep", "{policy}: {}", words.escape_ascii());
        }
        assert!(inspect(kept).has_icc_profile);
        assert_eq!(shown(kept), shown(&input), "{policy}: the pixels are the same");
        assert!(kept.len() <= input.len());
    }
}

#[test]
fn grids_and_alpha_survive_what_is_taken_out() {
    let grid = super::reading::grid(&PLAIN);
    let kept = run(&grid, json!({ "quality": 100 })).expect("a result");
    assert!(kept.report.kept_original);
    assert_eq!(shown(bytes_of(&kept, &grid)), shown(&grid));
    assert!(!holds(bytes_of(&kept, &grid), b"a name"));
}

#[test]
fn a_turn_goes_with_the_picture_and_not_with_exif() {
    let input = talkative(8);
    assert_eq!((inspect(&input).width, inspect(&input).orientation), (64, 1), "EXIF does not turn an AVIF");
    let kept = converted(&input, json!({ "to": "avif", "metadata": "keep", "resize": { "width": 32 } }));
    let orientation = fields(&kept).into_iter().find(|(tag, _)| *tag == exif::Tag::Orientation);
    assert_eq!(orientation.map(|(_, value)| value).as_deref(), Some("row 0 at top and column 0 at left"));
    assert!(holds(&kept, b"tiff:Orientation='1'"));
    // As a JPEG, whose EXIF would turn it.
    let jpeg = run(&input, json!({ "to": "jpeg", "metadata": "keep" })).expect("a JPEG");
    let again = run(bytes_of(&jpeg, &input), json!({ "to": "png" })).expect("a PNG");
    assert_eq!((again.report.width, again.report.height), (64, 48));
}

#[test]
fn a_profile_of_another_type_goes_along() {
    let p3 = ColorProfile::new_display_p3().encode().expect("a profile");
    let mut source = Vec::new();
    let mut encoder = image::codecs::png::PngEncoder::new(&mut source);
    image::ImageEncoder::set_icc_profile(&mut encoder, p3.clone()).expect("PNG has profiles");
    let picture = photo(40, 30);
    image::ImageEncoder::write_image(encoder, &picture, 40, 30, image::ExtendedColorType::Rgba8)
        .expect("a PNG");
    let avif = converted(&source, json!({ "to": "avif" }));
    assert!(holds(&avif, &p3), "the profile is there as it was");
    assert!(inspect(&avif).has_icc_profile);
    let plain = converted(&png(photo(40, 30)), json!({ "to": "avif" }));
    assert!(!inspect(&plain).has_icc_profile);
}
