//! Damaged AVIF files give an input error or a picture. They never panic, and no allocation follows an unchecked
//! size.

use std::rc::Rc;

use filepress::{ErrorCode, ErrorKind};
use filepress_wire::MediaType;
use serde_json::json;

use super::super::support::{bytes_of, png, run, translucent};
use super::boxes::{Item, PLAIN, code, file, part};
use super::{inspect, reading::grid, smooth};

fn samples() -> [Vec<u8>; 3] {
    let coded = |source: Vec<u8>| {
        let output = run(&source, json!({ "to": "avif", "effort": 0 })).expect("an AVIF");
        bytes_of(&output, &source).to_vec()
    };
    [coded(png(translucent(80, 60))), coded(png(smooth(90, 70))), grid(&PLAIN)]
}

fn survives(bytes: &[u8]) -> bool {
    let options = json!({ "to": "png", "effort": 0, "limits": { "maxPixels": 4_000_000 } });
    match run(bytes, options) {
        Ok(_) => true,
        Err(error) => {
            assert_ne!(error.kind(), ErrorKind::Internal, "{error}");
            assert_ne!(error.kind(), ErrorKind::Options, "{error}");
            false
        }
    }
}

#[test]
fn what_was_cut_off_is_an_error() {
    let mut cuts = 0;
    for sample in samples() {
        assert!(survives(&sample));
        for cut in (12..sample.len()).step_by((sample.len() / 120).max(1)) {
            assert!(!survives(&sample[..cut]), "{cut} of {} bytes gave a picture", sample.len());
            cuts += 1;
        }
    }
    assert!(cuts >= 300, "{cuts} cuts");
}

#[test]
fn flipped_boxes_are_an_error_or_a_picture() {
    let mut flips = 0;
    for sample in samples() {
        for at in 8..data(&sample) {
            for mask in [0xFF, 0x01, 0x80] {
                let mut broken = sample.clone();
                broken[at] ^= mask;
                survives(&broken);
                // Nor does taking metadata out of it.
                if mask == 0x01 {
                    let _ =
                        run(&broken, json!({ "quality": 100, "effort": 0, "resize": { "maxWidth": 9999 } }));
                }
                flips += 1;
            }
        }
    }
    assert!(flips >= 2000, "{flips} flips");
}

/// Where the pictures begin.
fn data(avif: &[u8]) -> usize {
    avif.windows(4).position(|window| window == b"mdat").expect("data") + 4
}

#[test]
fn damaged_pictures_are_an_error_or_a_picture() {
    let (mut refused, mut shown) = (0, 0);
    for sample in samples() {
        let (start, length) = (data(&sample), sample.len());
        for at in (start..length).step_by(((length - start) / 150).max(1)) {
            // A byte, what follows lost, and what follows from somewhere else.
            let mut flipped = sample.clone();
            flipped[at] ^= 0xFF;
            let mut zeroed = sample.clone();
            zeroed[at..].fill(0);
            let mut moved = sample.clone();
            moved[at..].rotate_left((length - at) / 3);
            for broken in [flipped, zeroed, moved] {
                match survives(&broken) {
                    true => shown += 1,
                    false => refused += 1,
                }
            }
        }
    }
    assert!(refused > 50 && shown > 50, "{refused} refused, {shown} shown");
}

#[test]
fn a_huge_claim_is_refused_by_its_header() {
    let [_, sample, tiles] = samples();
    for mut claim in [sample, tiles.clone()] {
        let at = claim.windows(4).position(|window| window == b"ispe").expect("a size") + 8;
        claim[at..at + 8].copy_from_slice(&[65_000u32.to_be_bytes(), 65_000u32.to_be_bytes()].concat());
        let error = run(&claim, json!({})).err();
        match claim.windows(4).any(|window| window == b"grid") {
            // The size of a grid is what its shape says.
            true => assert!(error.is_none()),
            false => assert_eq!(error.map(|error| error.code()), Some(ErrorCode::TooManyPixels)),
        }
    }
    // The shape of a grid, which its tiles do not fill.
    let mut claim = tiles;
    let at = claim.windows(8).position(|window| window == [0, 0, 1, 2, 0, 80, 0, 40]).expect("a shape");
    claim[at + 4..at + 8].copy_from_slice(&[0xFD, 0xE8, 0xFD, 0xE8]);
    assert_eq!(run(&claim, json!({})).expect_err("no picture").code(), ErrorCode::Corrupt);
}

#[test]
fn lists_longer_than_any_picture_needs_are_refused() {
    let item = |inline| Item { inline, ..Item::coded(&code((16, 16), &PLAIN, 60, &|_, _| [0.5; 3])) };
    let with = |boxes: usize, targets: &[u16]| {
        let references = vec![(b"abcd", 1, targets); boxes];
        run(&file(&[item(true)], &references, &[]), json!({ "to": "png" })).err().map(|error| error.code())
    };
    assert_eq!(with(1000, &[2; 500]), None);
    assert_eq!(with(1_100_000, &[]), Some(ErrorCode::Corrupt));
    assert_eq!(with(20, &[2; 60_000]), Some(ErrorCode::Corrupt));
}

#[test]
fn a_file_with_an_image_sequence_alone_is_of_another_kind() {
    let brands = part(b"ftyp", &[b"avis\0\0\0\0avismsf1iso8"]);
    let film = [brands.clone(), part(b"moov", &[&part(b"mvhd", &[&[0; 100]])]), part(b"mdat", &[&[0; 20]])];
    let error = run(&film.concat(), json!({ "to": "png" })).expect_err("no picture");
    assert_eq!(error.code(), ErrorCode::UnsupportedType, "{error}");
    let nothing = [brands, part(b"mdat", &[&[0; 20]])].concat();
    assert_eq!(run(&nothing, json!({ "to": "png" })).expect_err("no picture").code(), ErrorCode::Corrupt);
}

#[test]
fn a_picture_larger_than_it_says_is_an_error() {
    let [_, mut sample, _] = samples();
    let at = sample.windows(4).position(|window| window == b"ispe").expect("a size") + 8;
    sample[at..at + 8].copy_from_slice(&[9u32.to_be_bytes(), 7u32.to_be_bytes()].concat());
    assert_eq!(run(&sample, json!({ "to": "png" })).expect_err("no picture").code(), ErrorCode::Corrupt);
}

/// A megabyte that many items of a file share is not read for each of them: these tests would not end.
#[test]
fn a_long_property_is_read_once() {
    let tile = code((16, 16), &PLAIN, 8, &|_, _| [0.5; 3]);
    let name: Rc<[u8]> = part(b"auxC", &[&[0; 4], &vec![b'n'; 1 << 20]]).into();
    let auxiliary = (0..64).fold(Item::new(b"av01", &[]), |item, _| item.with(Rc::clone(&name), false));
    let avif = file(&[Item::coded(&tile), auxiliary], &[(b"auxl", 2, &[1; 65_535])], &[]);
    assert!(!inspect(&avif).has_alpha);
    assert!(survives(&avif));
}

#[test]
fn what_all_tiles_share_is_read_and_written_once() {
    let (columns, rows) = (100u16, 80u16);
    let coded = code((16, 16), &PLAIN, 8, &|_, _| [0.5; 3]);
    // Units of padding before the header of the sequence.
    let padding = [0x7A, 0].repeat(1 << 20);
    let size: Rc<[u8]> = part(b"ispe", &[&[0; 4], &[0, 0, 0, 16, 0, 0, 0, 16]]).into();
    let configuration: Rc<[u8]> = part(b"av1C", &[&coded.configuration[..4], &padding]).into();
    let profile: Rc<[u8]> = part(b"colr", &[b"prof", &vec![0; 1 << 20]]).into();
    let tile = || {
        let item = Item::new(b"av01", &[]);
        let item = item.with(Rc::clone(&size), false).with(Rc::clone(&configuration), true);
        (0..60).fold(item, |item, _| item.with(Rc::clone(&profile), false))
    };
    let (width, height) = (columns * 16, rows * 16);
    let shape = [[0, rows as u8 - 1], [columns as u8 - 1, 0]].concat();
    let shape = [&[0], &shape[..3], &width.to_be_bytes(), &height.to_be_bytes()].concat();
    let mut items = vec![Item::new(b"grid", &shape)];
    items.extend((0..columns * rows).map(|_| tile()));
    let ids: Vec<u16> = (2..).take((columns * rows).into()).collect();
    let avif = file(&items, &[(b"dimg", 1, &ids)], &[]);
    assert_eq!(inspect(&avif).width, u32::from(width));
    let cleaned = filepress::image::without_metadata(&avif, MediaType::Avif).expect("a file");
    assert_eq!(inspect(&cleaned).width, u32::from(width));
}
