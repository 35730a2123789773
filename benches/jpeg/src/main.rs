//! Bytes of JPEGs at equal scores (BD-rate) beside mozjpeg, by SSIMULACRA2 and by butteraugli's 3-norm.
//!
//! `filepress-bench-jpeg bench FOLDER…`: pictures are FOLDER/*.ppm, mozjpeg's files FOLDER/peers/NAME.PEER.QUALITY.jpg (written by `bench.mjs`).
//! A word NAME=VALUE (several values by commas) changes a constant of the encoder.

mod picture;
mod tune;

use filepress_bd_rate::{Curve, Original, parallel, print_rates, rate};
use filepress_jpeg::{Sampling, Settings, Tuning};
use picture::{Encoder, Picture};

fn main() {
    let mut words: Vec<String> = std::env::args().skip(1).collect();
    let command = words.remove(0);
    let mut tuning = Tuning::DEFAULT;
    let (mut folders, mut qualities, mut limit, mut peer) =
        (Vec::new(), vec![30.0, 45.0, 60.0, 70.0, 80.0, 85.0], 0, "mozjpeg-rs".to_string());
    let mut full = 90.0;
    let mut names = Vec::new();
    let mut step = 1.15;
    for word in words {
        match word.split_once('=') {
            Some(("q", values)) => {
                qualities = values.split(',').map(|value| value.parse().unwrap()).collect()
            }
            Some(("limit", value)) => limit = value.parse().unwrap(),
            Some(("peer", value)) => peer = value.into(),
            Some(("full", value)) => full = value.parse().unwrap(),
            Some(("step", value)) => step = value.parse().unwrap(),
            Some(("tune", values)) => names = values.split(',').map(String::from).collect(),
            Some((name, values)) => tune::set(&mut tuning, name, values),
            None => folders.push(word),
        }
    }
    let mut pictures: Vec<Picture> =
        folders.iter().flat_map(|folder| Original::all(folder)).map(Picture::new).collect();
    if limit > 0 {
        pictures.truncate(limit);
    }
    let bench = Bench { qualities, pictures, full };
    match command.as_str() {
        "bench" => bench.report(&tuning, &peer),
        "fit" => bench.fit(&mut tuning),
        "tune" => bench.tune(tuning, &names, &peer, step),
        "time" => bench.time(&tuning),
        _ => panic!("bench, fit, tune or time"),
    }
}

struct Bench {
    qualities: Vec<f32>,
    pictures: Vec<Picture>,
    /// From this quality on chroma has full resolution.
    full: f32,
}

impl Bench {
    fn ours(&self, picture: &Picture, tuning: &Tuning) -> Curve {
        let qualities = self.qualities.iter();
        qualities
            .map(|&quality| picture.point(&Encoder::Ours(tuning, quality, self.sampling(quality))))
            .collect()
    }

    fn sampling(&self, quality: f32) -> Sampling {
        if quality >= self.full { Sampling::S444 } else { Sampling::S420 }
    }

    fn peer(&self, picture: &Picture, peer: &str) -> Curve {
        self.qualities.iter().map(|&quality| picture.point(&Encoder::Peer(peer.into(), quality))).collect()
    }

    /// For both scores, the log-ratio of bytes of every picture.
    fn rates(&self, tuning: &Tuning, peers: &[Curve]) -> Vec<[f64; 2]> {
        let work: Vec<(&Picture, &Curve)> = self.pictures.iter().zip(peers).collect();
        parallel(&work, |(picture, peer)| {
            let ours = self.ours(picture, tuning);
            [0, 1].map(|score| rate(&ours, peer, score))
        })
    }

    fn report(&self, tuning: &Tuning, peers: &str) {
        for peer in peers.split(',') {
            let curves = parallel(&self.pictures, |picture| self.peer(picture, peer));
            let rates = self.rates(tuning, &curves);
            let names = self.pictures.iter().map(|picture| picture.original.name.as_str());
            print_rates(peer, names, &rates);
        }
        let deltas = parallel(&self.pictures, |picture| {
            let (ours, old) = (self.ours(picture, tuning), self.peer(picture, "mozjpeg-rs"));
            ours.iter().zip(&old).map(|(a, b)| a.scores[0] - b.scores[0]).collect::<Vec<_>>()
        });
        for (index, quality) in self.qualities.iter().enumerate() {
            let mean = deltas.iter().map(|delta| delta[index]).sum::<f64>() / deltas.len() as f64;
            println!("quality {quality}: {mean:+.2} points");
        }
    }

    /// Finds the scale at each quality that gives the scores of mozjpeg-rs.
    fn fit(&self, tuning: &mut Tuning) {
        for round in 0..4 {
            for &(knot, quality) in [
                (0, 4.0),
                (1, 10.0),
                (2, 20.0),
                (3, 30.0),
                (4, 40.0),
                (5, 50.0),
                (6, 60.0),
                (7, 70.0),
                (8, 80.0),
                (9, 89.0),
                (10, 90.0),
            ]
            .iter()
            {
                let deltas = parallel(&self.pictures, |picture| {
                    let ours = picture.score(&Encoder::Ours(tuning, quality, self.sampling(quality)));
                    let coarser = {
                        let mut t = tuning.clone();
                        t.scales[knot] += 0.2;
                        picture.score(&Encoder::Ours(&t, quality, self.sampling(quality)))
                    };
                    let old = picture.score(&Encoder::Peer("mozjpeg-rs".into(), quality));
                    [ours - old, coarser - ours]
                });
                let sum = |index: usize| deltas.iter().map(|delta| delta[index]).sum::<f64>();
                let change = (-sum(0) / sum(1).min(-0.01 * deltas.len() as f64) * 0.2).clamp(-0.6, 0.6);
                tuning.scales[knot] += change as f32;
                println!(
                    "{round} {quality}: {:+.2} points, scale {:.3}",
                    sum(0) / deltas.len() as f64,
                    tuning.scales[knot]
                );
            }
        }
        println!("scales: {:?}", tuning.scales);
    }

    /// Changes one constant after another while bytes become fewer by both scores together.
    fn tune(&self, mut best: Tuning, names: &[String], peer: &str, step: f32) {
        let curves = parallel(&self.pictures, |picture| self.peer(picture, peer));
        let cost = |tuning: &Tuning| {
            let rates = self.rates(tuning, &curves);
            let mean = |score: usize| rates.iter().map(|rate| rate[score]).sum::<f64>() / rates.len() as f64;
            [mean(0), mean(1)]
        };
        let sum = |cost: [f64; 2]| 0.5 * (cost[0] + cost[1]);
        let mut least = cost(&best);
        println!("start {:.4} {:.4}", least[0].exp(), least[1].exp());
        for name in names {
            for factor in [step, 1.0 / step] {
                for _ in 0..3 {
                    let mut next = best.clone();
                    tune::scale(&mut next, name, factor);
                    let cost = cost(&next);
                    if sum(cost) >= sum(least) - 1e-4 {
                        println!(
                            "  {name} {:?}: {:.4} {:.4}",
                            tune::get(&next, name),
                            cost[0].exp(),
                            cost[1].exp()
                        );
                        break;
                    }
                    (best, least) = (next, cost);
                    println!(
                        "{name} {:?}: {:.4} {:.4}",
                        tune::get(&best, name),
                        least[0].exp(),
                        least[1].exp()
                    );
                }
            }
        }
        println!("{best:?}");
    }

    fn time(&self, tuning: &Tuning) {
        for quality in &self.qualities {
            let time = |encoder: &dyn Fn(&Picture)| {
                let best = (0..5).map(|_| {
                    let start = std::time::Instant::now();
                    self.pictures.iter().for_each(encoder);
                    start.elapsed().as_secs_f64()
                });
                best.fold(f64::MAX, f64::min)
            };
            let ours = time(&|picture| {
                drop(picture.encode(&Encoder::Ours(tuning, *quality, self.sampling(*quality))))
            });
            let old = time(&|picture| drop(picture.encode(&Encoder::Peer("mozjpeg-rs".into(), *quality))));
            println!(
                "quality {quality}: {:.0} ms, mozjpeg-rs {:.0} ms, ratio {:.3}",
                ours * 1e3,
                old * 1e3,
                ours / old
            );
        }
        let settings = Settings::default();
        println!("settings {settings:?}");
    }
}
