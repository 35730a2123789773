//! The tools that results are compared with: MuPDF's mutool, and Ghostscript at the service's default settings.

use std::path::Path;

use crate::graph;
use crate::rendering;
use crate::tools::{Bench, run};

/// The bytes that mutool takes.
pub(crate) fn mutool(bench: &Bench, input: &Path) -> u64 {
    let output = bench.path("mutool.pdf");
    run("mutool", &["clean", "-gggg", "-z", "-f", "-i", path(input), path(&output)]);
    std::fs::metadata(&output).expect("mutool is installed").len()
}

/// The bytes that Ghostscript takes at 150 dpi and JPEG of quality 80, and whether it keeps what the document holds.
pub(crate) fn ghostscript(bench: &Bench, input: &Path) -> (u64, bool) {
    let output = bench.path("ghostscript.pdf");
    let to = format!("-sOutputFile={}", path(&output));
    let kinds = ["ColorACSImageDict", "ColorImageDict", "GrayACSImageDict", "GrayImageDict"];
    let sampling = "/QFactor 0.4 /Blend 1 /HSamples [2 1 1 2] /VSamples [2 1 1 2]";
    let dictionaries: String = kinds.iter().map(|kind| format!("/{kind} << {sampling} >> ")).collect();
    let quality = format!("<< {dictionaries} >> setdistillerparams");
    let mut line =
        vec!["-dSAFER", "-dBATCH", "-dNOPAUSE", "-q", "-sDEVICE=pdfwrite", "-dCompatibilityLevel=1.7"];
    line.extend(["-dDetectDuplicateImages=true", "-dPassThroughJPEGImages=true"]);
    line.extend(["-dColorImageResolution=150", "-dColorImageDownsampleThreshold=1.1"]);
    line.extend(["-dGrayImageResolution=150", "-dGrayImageDownsampleThreshold=1.1"]);
    line.extend([to.as_str(), "-c", &quality, "-f", path(input)]);
    run("gs", &line);
    let size = std::fs::metadata(&output).expect("Ghostscript is installed").len();
    let (before, after) = (graph::inventory(bench, input), graph::inventory(bench, &output));
    let keeps = before.iter().all(|(part, count)| after.get(part) == Some(count) || graph::is_metadata(part));
    (size, keeps && rendering::text(input) == rendering::text(&output))
}

fn path(path: &Path) -> &str {
    path.to_str().expect("a path")
}
