//! Items whose bitstreams have frames that are stored and never shown, made bit by bit: gray, 4096 × 2048 pixels, all filters
//! off.

use filepress::ErrorCode;
use filepress::error::Detail;
use serde_json::json;

use super::super::support::run;
use super::boxes::{Coded, Item, file};

const SIZE: (u32, u32) = (4096, 2048);
/// No profile, times and delays; one operating point. 12 and 11 bits for the sides; no tools; gray; no film grain.
const SEQUENCE: &str =
    "0000000 00000 000000000000 00000 1011 1010 111111111111 11111111111 00000000000000 0101 01";
/// One tile, a quantizer, no filters.
const REST: &str = "0 100 01100100 0000 0000000000000000 00";

fn unit(kind: u8, bits: &str, data: &[u8]) -> Vec<u8> {
    let bits: Vec<u8> = bits.bytes().filter(|bit| *bit != b' ').map(|bit| bit - b'0').collect();
    let byte = |bits: &[u8]| (0..8).fold(0, |byte, at| byte << 1 | bits.get(at).unwrap_or(&0));
    let payload = [bits.chunks(8).map(byte).collect(), data.to_vec()].concat();
    [&[kind << 3 | 2, payload.len() as u8], payload.as_slice()].concat()
}

/// A picture after so many others, each of which is stored in another place.
fn picture(hidden: usize) -> Item {
    let hidden = (0..hidden).map(|slot| format!("0 10 011 10 {:08b} {REST}", 1 << slot));
    let frames = hidden.chain([format!("0 00 1 10 {REST}")]);
    let frames = frames.flat_map(|header| unit(6, &header, &[0x35; 48]));
    let data = unit(1, SEQUENCE, &[]).into_iter().chain(frames).collect();
    Item::coded(&Coded { data, configuration: vec![0x81, 0, 0x1C, 0], size: SIZE })
}

#[test]
fn hidden_frames_of_alpha_count_beside_the_colors() {
    let avif = file(&[picture(0), picture(4).alpha()], &[(b"auxl", 2, &[1])], &[]);
    let within = |bytes: u64| {
        let options = json!({ "to": "png", "effort": 0, "resize": { "width": 16 }, "limits": { "maxMemoryBytes": bytes } });
        run(&avif, options).err()
    };
    let error = within(95_000_000).expect("too much memory");
    assert_eq!(error.code(), ErrorCode::TooMuchMemory);
    let detail = |name| match error.details().get(name) {
        Some(Detail::Number(number)) => *number as u64,
        other => panic!("{name}: {other:?}"),
    };
    assert_eq!(detail("limitBytes"), 95_000_000);
    // Five planes of alpha, and the result beside the colors.
    assert!(detail("needBytes") >= u64::from(SIZE.0 * SIZE.1) * (2 * 5 + 2 + 2));
    assert!(within(150_000_000).is_none());
}
