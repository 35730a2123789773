//! Frames that are stored, hidden and shown later, in bitstreams made bit by bit: gray, 128 × 64 pixels, all filters off.

use crate::layers::{FRAME, SEQUENCE_HEADER, TEMPORAL_DELIMITER, bytes, number, samples, unit};
use crate::programs::{Folder, run};
use filepress_av1::{DecodeOptions, Error, Limits, decode};

const FRAME_HEADER: u8 = 3;
const KEY: usize = 0;
const INTRA_ONLY: usize = 2;

/// How a frame is shown.
#[derive(Clone, Copy, PartialEq)]
enum Show {
    Now,
    /// Later, by show_existing_frame.
    Later,
    Never,
}

/// A bitstream's start, for an operating point of spatial layers 0 and 1.
fn start() -> Vec<u8> {
    let fields = [
        // The profile and what is not there, one operating point, and its level.
        (0, 7),
        (0, 5),
        (0x301, 12),
        (0, 5),
        // Bits of the sides, and the sides.
        (6, 4),
        (5, 4),
        (127, 7),
        (63, 6),
        // No tools; gray of full range without film grain; the end.
        (0, 14),
        (0b0101, 4),
        (0b01, 2),
    ];
    let header = fields.into_iter().flat_map(|(value, count)| number(value, count)).collect();
    [unit(TEMPORAL_DELIMITER, None, &[]), unit(SEQUENCE_HEADER, None, &bytes(header))].concat()
}

/// A frame whose header ends with `tiles`: which tiles there are, and their data.
fn frame(layer: u8, kind: usize, show: Show, refresh: usize, tiles: (bool, &[u8])) -> Vec<u8> {
    let mut bits = number(0, 1);
    bits.extend(number(kind, 2));
    bits.push(show == Show::Now);
    if show != Show::Now {
        bits.push(show == Show::Later);
    }
    let replaces_all = kind == KEY && show == Show::Now;
    if !replaces_all {
        bits.push(true);
    }
    // disable_cdf_update, the size of the sequence header.
    bits.extend([true, false]);
    if !replaces_all {
        bits.extend(number(refresh, 8));
    }
    // render_and_frame_size_different; uniform tiles, two of which if not all are one, whose sizes have one byte.
    bits.extend([false, true]);
    bits.push(tiles.0);
    if tiles.0 {
        bits.extend(number(0, 3));
    }
    // base_q_idx; no changes, matrices and segments; no filters; TxMode and the set of transforms.
    bits.extend(number(100, 8));
    bits.extend(number(0, 4));
    bits.extend(number(0, 6 + 6 + 3 + 1));
    bits.extend(number(0, 2));
    unit(FRAME, Some(layer), &[&bytes(bits), tiles.1].concat())
}

/// A frame of one tile. Any bytes are one.
fn whole(layer: u8, kind: usize, show: Show, refresh: usize, level: u8) -> Vec<u8> {
    frame(layer, kind, show, refresh, (false, &[level; 48]))
}

fn existing(layer: u8, slot: usize) -> Vec<u8> {
    let bits = [number(1, 1), number(slot, 3), number(1, 1)].concat();
    unit(FRAME_HEADER, Some(layer), &bytes(bits))
}

fn shown(frames: &[&[u8]]) -> Result<Vec<u16>, Error> {
    let obus = [&start()[..], &frames.concat()].concat();
    decode(&obus, &Limits::default(), &DecodeOptions::default()).map(|picture| samples(&picture))
}

#[test]
fn a_frame_that_is_shown_is_stored_for_higher_layers() {
    let hidden = whole(0, INTRA_ONLY, Show::Later, 1, 0x35);
    let seen = whole(0, INTRA_ONLY, Show::Now, 1, 0xA6);
    let expected = shown(&[&seen]).unwrap();
    assert_ne!(shown(&[&hidden, &existing(0, 0)]).unwrap(), expected);
    let again = existing(1, 0);
    assert!(shown(&[&hidden, &seen, &again]).unwrap() == expected);
    assert!(shown(&[&seen, &again]).unwrap() == expected);
    // dav1d shows the same.
    let folder = Folder::new(62);
    let obus = [&start()[..], &hidden, &seen, &again].concat();
    let options =
        ["-i", &folder.write("hidden.obu", &obus), "-o", &folder.path("hidden.yuv"), "--alllayers", "0"];
    assert!(run("dav1d", &options.map(String::from)));
    let theirs = folder.take("hidden.yuv").unwrap();
    assert!(expected.iter().zip(&theirs).all(|(ours, theirs)| *ours == u16::from(*theirs)));
}

#[test]
fn a_key_frame_that_is_shown_later_replaces_all_stored_frames() {
    let key = whole(0, KEY, Show::Later, 1, 0x35);
    let other = whole(0, INTRA_ONLY, Show::Later, 2, 0xA6);
    let expected = shown(&[&key, &existing(0, 0)]).unwrap();
    assert!(shown(&[&key, &other, &existing(0, 1)]).unwrap() != expected);
    assert!(shown(&[&key, &other, &existing(0, 0), &existing(1, 1)]).unwrap() == expected);
}

#[test]
fn only_frames_that_may_be_shown_are() {
    let never = whole(0, INTRA_ONLY, Show::Never, 1, 0x35);
    let key = whole(0, KEY, Show::Now, 255, 0x35);
    for frames in [
        [&never[..], &existing(0, 0)],
        [&key, &existing(1, 0)],
        [&never, &existing(0, 1)],
        [&[], &existing(0, 3)],
    ] {
        let refused = shown(&frames);
        assert!(matches!(refused, Err(Error::Corrupt(_))), "{:?}", refused.map(|_| ()));
    }
}

#[test]
fn a_frame_without_its_last_tile_is_not_given_up_for_the_next() {
    // Tile 0 alone.
    let half = [&[0b1000_0000][..], &[0x35; 48]].concat();
    let half = frame(0, INTRA_ONLY, Show::Now, 1, (true, &half));
    let key = whole(0, KEY, Show::Now, 255, 0xA6);
    let refused = shown(&[&half, &key]);
    assert!(matches!(refused, Err(Error::Corrupt(_))), "{:?}", refused.map(|_| ()));
}
