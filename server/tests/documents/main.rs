//! PDF → PDF keeps everything but the pixels of images, in documents from several programs, and its files are no
//! larger than those of comparable tools. Writes the table of what survives into README.md.

#![allow(clippy::expect_used, clippy::panic, reason = "a test may stop at what it does not expect")]
#![allow(clippy::print_stdout, reason = "sizes beside those of peers are worth reading")]

mod comparison;
mod generated;
mod graph;
mod rendering;
mod table;
#[path = "../tools/mod.rs"]
mod tools;

use filepress_wire::MediaType;
use serde_json::{Value, json};

use generated::NAMES;
use tools::{Bench, run};

/// How far apart two pages may look where a photograph was coded again, in levels of 256 on average.
const MOST_APART: f64 = 3.0;

#[tokio::test]
async fn only_pixels_change() {
    let bench = Bench::new().await;
    generated::make(&bench);
    for name in NAMES {
        let input = bench.path(&format!("{name}.pdf"));
        for (settings, strips, loses) in [
            (json!({}), true, true),
            (json!({ "quality": 60, "dpi": 100, "strip_metadata": false }), false, true),
            (json!({ "lossless": true }), true, false),
        ] {
            let made = bench.convert(&input, MediaType::Pdf, Some(MediaType::Pdf), settings.clone()).await;
            let made = made.unwrap_or_else(|failure| panic!("{name} {settings}: {failure:?}"));
            let output = bench.write("output.pdf", &made.bytes);
            let metadata: &[&str] = if strips { &["/Metadata", "/PieceInfo"] } else { &[] };
            let differences = graph::differences(&bench, &input, &output, metadata);
            assert!(differences.is_empty(), "{name} {settings}: {differences:#?}");
            assert_eq!(rendering::text(&input), rendering::text(&output), "{name} {settings}");
            let apart = rendering::apart(&bench, &input, &output);
            let most = if loses { MOST_APART } else { 0.0 };
            assert!(apart <= most, "{name} {settings}: {apart} levels apart");
            let checked = run("qpdf", &["--check", output.to_str().expect("a path")]);
            assert!(checked.contains("No syntax or stream encoding errors"), "{name} {settings}: {checked}");
        }
    }
}

#[tokio::test]
async fn no_other_tool_produces_smaller_files() {
    let bench = Bench::new().await;
    generated::make(&bench);
    let mut worse = Vec::new();
    for name in NAMES {
        let input = bench.path(&format!("{name}.pdf"));
        let size = async |settings: Value| {
            let made = bench.convert(&input, MediaType::Pdf, Some(MediaType::Pdf), settings).await;
            made.expect("a document").bytes.len() as u64
        };
        let (ours, lossless) = (size(json!({})).await, size(json!({ "lossless": true })).await);
        let mutool = comparison::mutool(&bench, &input);
        let (ghostscript, keeps) = comparison::ghostscript(&bench, &input);
        let before = std::fs::metadata(&input).expect("a file").len();
        let which = if keeps { "whole" } else { "loses parts" };
        println!(
            "{name}: {before} → {ours} ({lossless} lossless), mutool {mutool}, Ghostscript {ghostscript} ({which})"
        );
        if lossless > mutool || ours > mutool || (keeps && ours > ghostscript) {
            worse.push(name);
        }
    }
    assert!(worse.is_empty(), "a peer is smaller: {worse:?}");
}

#[tokio::test]
async fn the_readme_table_matches_the_results() {
    let bench = Bench::new().await;
    generated::make(&bench);
    let mut found = Vec::new();
    for name in NAMES {
        let input = bench.path(&format!("{name}.pdf"));
        let mut outputs = Vec::new();
        for strip in [true, false] {
            let settings = json!({ "strip_metadata": strip });
            let made = bench.convert(&input, MediaType::Pdf, Some(MediaType::Pdf), settings).await;
            outputs.push(bench.write(&format!("{name}-{strip}.pdf"), made.expect("a document").bytes));
        }
        found.push((
            graph::inventory(&bench, &input),
            outputs.iter().map(|output| graph::inventory(&bench, output)).collect(),
        ));
    }
    tools::section::check("pdf", &table::of(&found));
}
