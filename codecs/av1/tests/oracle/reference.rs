//! What dav1d decodes, and aomdec.

use super::programs::{Folder, run};

/// The samples of the first frame, plane by plane.
pub(super) struct Reference(Vec<u8>);

impl Reference {
    /// Of dav1d.
    pub(super) fn new(folder: &Folder, obus: &[u8]) -> Option<Self> {
        let input = folder.write("still.obu", obus);
        let output = folder.path("still.yuv");
        let arguments =
            ["--demuxer", "section5", "--limit", "1", "--threads", "1", "-i", &input, "-o", &output];
        run("dav1d", &arguments.map(String::from)).then(|| folder.take("still.yuv")).flatten().map(Self)
    }

    /// Of libaom, which wrote the specification's reference decoder. It adds gray chroma to gray pictures.
    pub(super) fn of_libaom(folder: &Folder, obus: &[u8]) -> Option<Self> {
        let input = folder.write("still.obu", obus);
        let output = folder.path("still.yuv");
        let arguments = ["--rawvideo", "--limit=1", "-o", &output, &input];
        run("aomdec", &arguments.map(String::from)).then(|| folder.take("still.yuv")).flatten().map(Self)
    }

    pub(super) fn samples(&self, bit_depth: u8) -> impl Iterator<Item = u16> {
        let size = if bit_depth == 8 { 1 } else { 2 };
        self.0
            .chunks_exact(size)
            .map(|sample| sample.iter().rev().fold(0, |value, &byte| value << 8 | u16::from(byte)))
    }
}
