//! Unusual file names, and truncated or sparse files.

use std::path::Path;

use filepress_wire::MediaType;
use serde_json::json;

use crate::canary::tempt;
use crate::tools::{Bench, is};

#[tokio::test]
async fn malicious_names_and_links_have_no_effect() {
    let bench = Bench::new().await;
    // The name of the user's file is that of an option, of a protocol, of a pattern, of another folder.
    std::fs::create_dir(bench.path("sub")).expect("a folder");
    let film = std::fs::read(bench.video("plain.mp4", &[])).expect("a film");
    for name in ["-y", "concat:a|b", "%03d.mp4", "sub/..\\..\\a", "a\nb", "$(touch x)", "'\"` ;|&"] {
        let input = bench.write(name, &film);
        let made =
            bench.convert(&input, MediaType::Mp4, Some(MediaType::Mp3), json!({})).await.expect("sound");
        assert!(is(&made.bytes, MediaType::Mp3), "{name}");
    }
    assert!(!bench.path("x").exists() && !Path::new("x").exists());
}

/// Cut and broken files of every type end as faults of the file.
#[tokio::test]
async fn malformed_files_are_file_errors() {
    let bench = Bench::new().await;
    let mut tried = 0;
    for media in MediaType::ALL {
        let Some(output) = bench.tools.outputs(media).into_iter().find(|output| *output != media) else {
            continue;
        };
        let whole = std::fs::read(bench.sample(media).await).expect("a sample");
        let mut holed = whole.clone();
        let step = (holed.len() / 40).max(16);
        holed.iter_mut().skip(64).step_by(step).for_each(|byte| *byte ^= 0x5A);
        for bytes in [&whole[..whole.len() / 3], &whole[..whole.len().min(20)], &holed] {
            let input = bench.write("broken", bytes);
            tempt(&bench, &input, media, output).await;
            tried += 1;
        }
    }
    assert!(tried > 110, "{tried}");
}
