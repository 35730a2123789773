//! Compresses a PDF without changing its structure: recompresses images and other streams, and merges duplicates.
//!
//! qpdf converts the document to JSON ([`graph`]) and later applies the update that is written here. Fields, annotations, attachments,
//! tags, outlines and all other objects that are not streams stay unchanged, and so do streams that are not fully supported.

mod bilevel;
mod deduplicate;
mod document_info;
mod filters;
mod flate;
mod graph;
mod image_candidates;
mod image_placement;
mod images;
mod lexer;
mod matrix;
mod predictor;
mod sample_layout;
mod samples;
mod ycck;

use filepress_wire::TaskErrorCode;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use self::filters::Decoded;
use self::graph::{Graph, Id};
use self::images::ImageCoder;
use super::convert::InputLimits;
use super::response::{EngineError, EngineOutput, Warning};

/// The lossy compression of images.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::media) struct ImageCompression {
    /// The resolution to downsample to, in pixels per inch.
    pub(in crate::media) dpi: u32,
    /// The JPEG quality, 1 to 100.
    pub(in crate::media) quality: u8,
    /// Also re-encode JPEGs that are not downsampled.
    pub(in crate::media) recode: bool,
}

/// A request to compress a document.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(in crate::media) struct PdfRecoding {
    /// The name of qpdf's JSON file.
    pub(in crate::media) document: String,
    /// The name of the file for the update.
    pub(in crate::media) update: String,
    /// `None` for lossless.
    pub(in crate::media) compression: Option<ImageCompression>,
    /// Remove metadata.
    pub(in crate::media) strip: bool,
    pub(in crate::media) limits: InputLimits,
}

impl PdfRecoding {
    /// Writes the update. The result is `unchanged` if there is none, and says whether the document is signed.
    pub(super) fn run(self) -> Result<EngineOutput, EngineError> {
        let size = std::fs::metadata(&self.document).map_err(|error| EngineError::of_file(&error))?.len();
        if size > self.limits.bytes {
            let detail = format!(
                "The objects of the document take {size} bytes; at most {} are taken.",
                self.limits.bytes
            );
            return Err(EngineError::new(TaskErrorCode::TooMuchMemory, detail));
        }
        // qpdf wrote valid JSON, so reading fails only if it is nested too deeply.
        let Ok(mut graph) = Graph::read(&self.document) else {
            return Ok(EngineOutput {
                unchanged: true,
                warnings: vec![Warning::streams_kept()],
                ..EngineOutput::default()
            });
        };
        let signed = document_info::is_signed(&graph);
        let written = self.recode(&mut graph).map_err(|error| EngineError::of_file(&error))?;
        Ok(EngineOutput { unchanged: !written, signed, ..EngineOutput::default() })
    }

    fn recode(&self, graph: &mut Graph) -> std::io::Result<bool> {
        if self.strip {
            document_info::strip_metadata(graph);
        }
        deduplicate::run(graph, self.limits.bytes)?;
        let (sizes, masks) = (image_placement::sizes(graph), images::masks(graph));
        let coder = ImageCoder {
            compression: self.compression,
            strip: self.strip,
            limits: self.limits,
            sizes: &sizes,
            masks: &masks,
        };
        let streams = graph.objects.iter().filter(|(_, object)| object.data.is_some());
        let streams: Vec<Id> = streams.map(|(id, _)| *id).collect();
        for id in streams {
            let is_image = graph
                .objects
                .get(&id)
                .is_some_and(|object| object.value.get("/Subtype").and_then(graph::name) == Some("Image"));
            let smaller = if is_image { coder.code(graph, id) } else { self.packed(graph, id) };
            if let Some((dictionary, data)) = smaller {
                graph.set_stream(id, dictionary, &data)?;
            }
        }
        deduplicate::run(graph, self.limits.bytes)?;
        graph.write_update(&self.update)
    }

    /// Compresses a stream that is not an image losslessly.
    fn packed(&self, graph: &Graph, id: Id) -> Option<(Value, Vec<u8>)> {
        let value = &graph.objects.get(&id)?.value;
        // PDF/A requires XMP without a filter (ISO 19005-1, 6.7.2).
        if value.get("/Type").and_then(graph::name) == Some("Metadata") {
            return None;
        }
        let data = graph.data(id, self.limits.bytes)?;
        let before = data.len();
        let Decoded::Plain(plain) = filters::decode(graph, value, data, self.limits.memory / 8)? else {
            return None;
        };
        let packed = Some(flate::deflate(&plain)).filter(|packed| packed.len() < before)?;
        let mut dictionary = value.as_object()?.clone();
        dictionary.remove("/DecodeParms");
        dictionary.insert("/Filter".to_owned(), "/FlateDecode".into());
        Some((Value::Object(dictionary), packed))
    }
}
