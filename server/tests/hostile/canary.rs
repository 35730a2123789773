//! A secret file, and files that try to read it.

use std::path::{Path, PathBuf};

use filepress_server::config::SandboxChoice;
use filepress_server::media::Failure;
use filepress_wire::MediaType;
use serde_json::json;

use crate::tools::{Bench, ffmpeg};

/// What no output may contain.
pub(crate) const SECRET: &str = "Planted-secret-7f3a";

/// The strongest confinement, which hides the files, and the weakest, in which the tools have to leave them alone.
pub(crate) async fn confined_and_not() -> [Bench; 2] {
    [Bench::new().await, Bench::confined(SandboxChoice::Limits).await]
}

/// Plants a file that everybody may read, as text, as a transport stream and as a picture; hands back their paths.
pub(crate) fn plant(bench: &Bench) -> [PathBuf; 3] {
    let text = bench.write("secret.txt", format!("{SECRET}\n").repeat(50));
    let stream = bench.video("secret.ts", &["-metadata", &format!("service_name={SECRET}")]);
    let picture = bench.path("secret.png");
    ffmpeg(&[&["-f", "lavfi", "-i", "color=0xfe01fe:s=64x64", "-frames:v", "1"]], &picture);
    [text, stream, picture]
}

/// Converts; that the file is refused is right, that it fails for the machine's sake is not. What came out is handed back.
pub(crate) async fn tempt(bench: &Bench, input: &Path, from: MediaType, to: MediaType) -> Option<Vec<u8>> {
    match bench.convert(input, from, Some(to), json!({})).await {
        Ok(made) => {
            assert!(
                !made.bytes.windows(SECRET.len()).any(|window| window == SECRET.as_bytes()),
                "{from} → {to}"
            );
            Some(made.bytes)
        }
        Err(Failure::File { detail, .. }) => {
            let root = bench.path("");
            assert!(!detail.contains(root.to_str().expect("a path")) && !detail.contains(SECRET), "{detail}");
            None
        }
        Err(other) => panic!("{from} → {to}: {other:?}"),
    }
}
