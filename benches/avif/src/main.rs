//! Bytes of AV1 stills at equal scores (BD-rate) beside other encoders, by SSIMULACRA2 and by butteraugli's 3-norm.
//!
//! `filepress-bench-avif FOLDER… [q=QUALITIES] [effort=N] [peer=NAMES] [full=QUALITY] [limit=N]`: pictures are FOLDER/*.ppm, files of peers
//! FOLDER/peers/NAME.PEER.QUALITY.avif (written by `bench.mjs`). From `full` on chroma has full resolution.

mod color;
mod points;

use filepress_av1::EncodeOptions;
use filepress_bd_rate::{Curve, Original, Point, parallel, print_rates, rate};

fn main() {
    let (mut folders, mut qualities, mut peers) =
        (Vec::new(), vec![20, 35, 50, 65, 80], vec!["sharp420".into()]);
    let (mut effort, mut full, mut limit) = (4, 90, usize::MAX);
    for word in std::env::args().skip(1) {
        match word.split_once('=') {
            Some(("q", values)) => {
                qualities = values.split(',').map(|value| value.parse().unwrap()).collect()
            }
            Some(("peer", values)) => peers = values.split(',').map(String::from).collect(),
            Some(("effort", value)) => effort = value.parse().unwrap(),
            Some(("full", value)) => full = value.parse().unwrap(),
            Some(("limit", value)) => limit = value.parse().unwrap(),
            Some(_) => panic!("{word}?"),
            None => folders.push(word),
        }
    }
    let mut pictures: Vec<Original> = folders.iter().flat_map(|folder| Original::all(folder)).collect();
    pictures.truncate(limit);
    let rows = parallel(&pictures, |picture| {
        let mut seconds = 0.0;
        let ours: Vec<(u32, Point)> = qualities
            .iter()
            .map(|&quality: &u32| {
                let options = EncodeOptions { quality: quality as u8, effort, lossless: false };
                let (point, time) = points::ours(picture, &options, quality < full);
                seconds += time;
                (quality, point)
            })
            .collect();
        let peers = peers.iter().map(|peer: &String| points::peer(picture, peer)).collect();
        Row { ours, peers, seconds }
    });
    for (index, peer) in peers.iter().enumerate() {
        report(&pictures, &rows, peer, index);
    }
    let seconds: f64 = rows.iter().map(|row| row.seconds).sum();
    println!("{:.2} s of encoding a file", seconds / (rows.len() * qualities.len()) as f64);
}

/// The points of a picture by quality: ours, and those of each peer.
struct Row {
    ours: Vec<(u32, Point)>,
    peers: Vec<Vec<(u32, Point)>>,
    seconds: f64,
}

fn report(pictures: &[Original], rows: &[Row], peer: &str, index: usize) {
    let curve = |points: &[(u32, Point)]| points.iter().map(|point| point.1).collect::<Curve>();
    let of = |row: &Row| {
        let (ours, peer) = (curve(&row.ours), curve(&row.peers[index]));
        [0, 1].map(|score| rate(&ours, &peer, score))
    };
    let rates: Vec<[f64; 2]> = rows.iter().map(of).collect();
    print_rates(peer, pictures.iter().map(|picture| picture.name.as_str()), &rates);
    for at in 0..rows.first().map_or(0, |row| row.ours.len()) {
        let quality = rows[0].ours[at].0;
        let average = |value: &dyn Fn(&Row) -> Option<f64>| {
            let values: Option<Vec<f64>> = rows.iter().map(value).collect();
            values.map(|values| values.iter().sum::<f64>() / values.len() as f64)
        };
        let score = average(&|row| Some(row.ours[at].1.scores[0])).unwrap_or_default();
        let other = average(&|row| {
            row.peers[index].iter().find(|point| point.0 == quality).map(|point| point.1.scores[0])
        });
        let beside = other.map_or(String::new(), |other| format!(", {peer} {other:.2}"));
        println!("quality {quality}: SSIMULACRA2 {score:.2}{beside}");
    }
}
