//! `hdr: "keep"` from JPEG to AVIF: the file has a tone-mapped picture, which shows the light of the input.

use filepress::image::inspect;
use filepress_wire::MediaType;
use image::DynamicImage;
use serde_json::{Value, json};

use super::hdr_files::{KINDS, Kind, Light, applied, hdr_photo, rendered, segment, with_segments};
use super::support::{bytes_of, holds, read, run};

const SIZE: (u32, u32) = (320, 240);

/// The options of a call, and what they do to light.
type Edit = (Value, fn(&Light) -> Light);

/// The items of an AVIF that was written here: ID, type, whether it is hidden, and data.
fn items(file: &[u8]) -> Vec<(u32, [u8; 4], bool, Vec<u8>)> {
    let number = |bytes: &[u8]| bytes.iter().fold(0_u32, |number, byte| number << 8 | u32::from(*byte));
    let contents = |kind: &[u8]| {
        let at = file.windows(4).position(|window| window == kind).expect("a box");
        &file[at + 4..at - 4 + number(&file[at - 4..at]) as usize]
    };
    let (mut infos, places) = (&contents(b"iinf")[6..], contents(b"iloc"));
    // Version 0, with offsets and lengths of four bytes, no base, and one extent.
    assert_eq!(places[..6], [0, 0, 0, 0, 0x44, 0]);
    let mut found = Vec::new();
    while !infos.is_empty() {
        let (info, rest) = infos.split_at(number(&infos[..4]) as usize);
        infos = rest;
        let id = number(&info[12..14]);
        let place = places[8..].chunks(14).find(|place| number(&place[..2]) == id).expect("a place");
        let (start, length) = (number(&place[6..10]) as usize, number(&place[10..14]) as usize);
        found.push((
            id,
            info[16..20].try_into().expect("four bytes"),
            info[11] & 1 == 1,
            file[start..start + length].to_vec(),
        ));
    }
    found
}

/// The numbers of the properties of an item, with the flag for those that are essential.
fn associated(file: &[u8], id: u32) -> Vec<u8> {
    let at = file.windows(4).position(|window| window == b"ipma").expect("a box");
    // Version 0 with numbers of a byte.
    assert_eq!(file[at + 4..at + 8], [0; 4]);
    let mut entries = &file[at + 12..];
    loop {
        let (entry, rest) = entries[2..].split_at(1 + usize::from(entries[2]));
        if entries[..2] == (id as u16).to_be_bytes() {
            return entry[1..].to_vec();
        }
        entries = rest;
    }
}

/// The pixels of a file, with another of its items as the primary one.
fn shown(file: &[u8], id: u32) -> DynamicImage {
    let mut file = file.to_vec();
    let primary = file.windows(4).position(|window| window == b"pitm").expect("a box") + 8;
    file[primary..primary + 2].copy_from_slice(&(id as u16).to_be_bytes());
    let output = run(&file, json!({ "to": "png" })).expect("pixels");
    read(bytes_of(&output, &file), "image/png")
}

/// The light of a file by its tone-mapped picture (ISO 21496-1, 6.3), and the size of the map.
fn tone_mapped(file: &[u8]) -> (Light, (u32, u32)) {
    assert!(holds(&file[..64], b"tmap"), "the brand");
    let items = items(file);
    let coded: Vec<_> = items.iter().filter(|item| &item.1 == b"av01").collect();
    let [picture, map] = coded.as_slice() else { panic!("{} coded pictures", coded.len()) };
    assert!(!picture.2 && map.2, "only the map is hidden");
    let (tone_map, _, _, payload) = items.iter().find(|item| &item.1 == b"tmap").expect("an item");
    let references = [
        &12_u32.to_be_bytes()[..],
        b"dimg",
        &(*tone_map as u16).to_be_bytes(),
        &[0, 2],
        &[0, picture.0 as u8, 0, map.0 as u8],
    ]
    .concat();
    assert!(holds(file, &[b"dimg", &references[8..]].concat()), "what it is derived from");
    let group = [*tone_map + 1, 2, *tone_map, picture.0].map(u32::to_be_bytes).concat();
    assert!(
        holds(file, &[b"altr", &[0; 4][..], &group].concat()),
        "the alternatives, the preferred one first"
    );
    // BT.709 primaries and PQ; of the map, neither.
    assert!(holds(file, b"colrnclx\0\x01\0\x10\0"), "the colors of the tone-mapped picture");
    assert!(holds(file, b"colrnclx\0\x02\0\x02\0"), "the colors of the map");
    assert!(holds(file, b"pixi\0\0\0\0\x03\x0a\x0a\x0a"), "ten bits");
    assert!(associated(file, *tone_map).len() == 3 && associated(file, map.0).len() == 4, "properties");

    assert_eq!((payload.len(), &payload[..6]), (62, &[0, 0, 0, 0, 0, 0x40][..]));
    let fraction = |at: usize| {
        let half =
            |at: usize| f64::from(i32::from_be_bytes(payload[at..at + 4].try_into().expect("four bytes")));
        half(6 + 8 * at) / half(10 + 8 * at)
    };
    assert_eq!(fraction(0), 0.0);
    let [minimum, maximum, gamma, base_offset, alternate_offset] = [2, 3, 4, 5, 6].map(fraction);
    assert!((fraction(1) - maximum).abs() < 1e-5);
    let (picture, map) = (shown(file, picture.0), shown(file, map.0));
    let light = applied(&picture, &map, |base, gain| {
        let stops = minimum + (maximum - minimum) * gain.powf(1.0 / gamma);
        (base + base_offset) * stops.exp2() - alternate_offset
    });
    (light, (map.width(), map.height()))
}

fn has_gain_map(file: &[u8]) -> bool {
    let seen = inspect(file, MediaType::Avif, &Default::default()).expect("a header");
    serde_json::to_value(seen).expect("plain")["hasGainMap"] == json!(true)
}

fn converted(input: &[u8], mut options: Value) -> Vec<u8> {
    options["to"] = json!("avif");
    options["hdr"] = json!("keep");
    let output = run(input, options.clone()).expect("an AVIF");
    let codes: Vec<_> = output.report.warnings.iter().map(|warning| warning.code).collect();
    assert!(codes.is_empty(), "{options}: {codes:?}");
    output.bytes.expect("another type is new bytes")
}

#[test]
fn the_light_of_the_output_is_that_of_the_input() {
    let crop = json!({ "x": 36, "y": 20, "width": 160, "height": 120 });
    let edits: [Edit; 4] = [
        (json!({ "metadata": "keep" }), Light::clone),
        (json!({ "resize": { "width": 160 }, "metadata": "strip" }), Light::halved),
        (json!({ "crop": crop }), |light| light.part([36, 20, 160, 120])),
        (json!({ "rotate": 90, "chroma": "444" }), Light::turned_right),
    ];
    for kind in KINDS {
        let input = hdr_photo(kind, SIZE, 1);
        let light = rendered(kind, &input);
        for (mut options, edit) in edits.clone() {
            options["quality"] = json!(94);
            let file = converted(&input, options.clone());
            let (found, map) = tone_mapped(&file);
            let difference = edit(&light).difference(&found);
            assert!(difference < 0.01, "{kind:?}, {options}: {:.2} %", difference * 100.0);
            assert_eq!(map.0 * found.height as u32, map.1 * found.width as u32, "{kind:?}, {options}");
            assert!(has_gain_map(&file), "{kind:?}, {options}");
        }
    }
}

#[test]
fn a_target_counts_the_map() {
    let input = hdr_photo(Kind::Both, SIZE, 1);
    let file = converted(&input, json!({ "targetSize": 3000 }));
    assert!(file.len() <= 3000 && has_gain_map(&file), "{} bytes", file.len());
}

#[test]
fn without_the_option_and_in_other_formats_the_map_is_dropped() {
    let input = hdr_photo(Kind::Both, SIZE, 1);
    let dropped = |input: &[u8], options: Value| {
        let output = run(input, options).expect("a picture");
        let is_said = output.report.warnings.iter().any(|warning| warning.code == "gain_map_dropped");
        (is_said, output.bytes.unwrap_or_else(|| input.to_vec()))
    };
    for options in [
        json!({ "to": "avif" }),
        json!({ "to": "avif", "hdr": "drop" }),
        json!({ "to": "avif", "lossless": true }),
    ] {
        let (is_said, file) = dropped(&input, options.clone());
        assert!(is_said && !has_gain_map(&file) && items(&file).len() == 1, "{options}");
    }
    // From AVIF, only an original keeps it.
    let hdr = converted(&input, json!({ "quality": 30 }));
    for options in [
        json!({ "to": "jpeg", "hdr": "keep" }),
        json!({ "to": "avif", "resize": { "width": 100 }, "hdr": "keep" }),
    ] {
        assert!(dropped(&hdr, options.clone()).0, "{options}");
    }
    for options in [json!({ "quality": 90 }), json!({ "quality": 90, "metadata": "keep" })] {
        assert_eq!(dropped(&hdr, options.clone()), (false, hdr.clone()), "{options}");
    }
    let (is_said, plain) = dropped(&hdr, json!({ "quality": 90, "hdr": "drop" }));
    assert!(is_said && !has_gain_map(&plain) && items(&plain).len() == 1 && !holds(&plain, b"tmap"));
    assert_eq!(shown(&plain, 1), shown(&hdr, 1));
}

#[test]
fn a_damaged_description_is_a_reason() {
    let mut input = hdr_photo(Kind::Iso, SIZE, 1);
    let at = input
        .windows(28)
        .rposition(|window| window == b"urn:iso:std:iso:ts:21496:-1\0")
        .expect("a description");
    // Another version of the description.
    input[at + 29] = 1;
    let output = run(&input, json!({ "to": "avif", "hdr": "keep" })).expect("an AVIF");
    let message = output.report.warnings.iter().find(|warning| warning.code == "gain_map_dropped");
    assert!(message.is_some_and(|warning| warning.message.contains("damaged")));
}

#[test]
fn a_map_that_applies_in_other_colors_is_a_reason() {
    let mut input = hdr_photo(Kind::Iso, SIZE, 1);
    let at = input.windows(28).rposition(|window| window == b"urn:iso:std:iso:ts:21496:-1\0");
    // The flags.
    input[at.expect("a description") + 32] = 0;
    let output = run(&input, json!({ "to": "avif", "hdr": "keep" })).expect("an AVIF");
    let message = output.report.warnings.iter().find(|warning| warning.code == "gain_map_dropped");
    assert!(message.is_some_and(|warning| warning.message.contains("other colors")));
}

#[test]
fn a_picture_in_display_p3_is_hdr_in_it_as_well() {
    let profile = moxcms::ColorProfile::new_display_p3().encode().expect("a profile");
    let profile = segment(0xE2, &[b"ICC_PROFILE\0\x01\x01", &profile]);
    let input = with_segments(&hdr_photo(Kind::Both, SIZE, 1), &[profile]);
    let file = converted(&input, json!({ "quality": 90 }));
    assert!(holds(&file, b"colrnclx\0\x0c\0\x10\0") && holds(&file, b"colrprof"));
}
