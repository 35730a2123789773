//! PDF → PDF. qpdf parses the document and writes it; in between, the engine recompresses images and other streams. All other objects
//! stay unchanged.

use filepress_wire::TaskErrorCode;

use super::context::Context;
use super::open_pdf::{self, CLEAN, OBJECTS, OpenedDocument, qpdf};
use super::processing_metadata::FileProperties;
use super::{signature_scan, size_search};
use crate::media::engine::{ImageCompression, PdfRecoding, Request, Warning};
use crate::media::{ConversionResult, Failure, pdf_commands};

/// The default compression of images.
const DEFAULT: ImageCompression = ImageCompression { dpi: 150, quality: 80, recode: false };
/// The steps of (dpi, quality) for a `target_size`, from the best to the smallest.
const LADDER: [(u32, u8); 7] = [(200, 85), (150, 75), (120, 60), (96, 45), (72, 35), (50, 25), (36, 15)];

/// The file with the changed objects.
const UPDATE: &str = "update.json";

pub(super) async fn run(context: &Context<'_>) -> Result<ConversionResult, Failure> {
    let settings = &context.plan.settings;
    let opened = open_pdf::open(context).await?;
    let info = FileProperties::of_document(opened.pages);
    // What was damaged or encrypted is not what was asked for, also if it is signed: its signatures are about the encrypted bytes.
    let may_keep = context.may_keep() && !opened.is_repaired && !opened.is_encrypted;
    if may_keep && context.is_small_enough() {
        return Ok(context.keep_original(engine_name(context, &opened), info, Vec::new()));
    }
    context.progress(0.1);
    let within = |size: u64| settings.target_size.is_none_or(|target| size <= target);
    let steps = compression_steps(context);
    let mut best: Option<PackedDocument> = None;
    for (step, compression) in steps.iter().enumerate() {
        let output = format!("step-{step}.pdf");
        let packed = pack(context, *compression, output).await?;
        // Each step reports half of the remaining progress, as later steps may not be needed.
        context.progress(0.95 - 0.85 * 0.5_f64.powi(step as i32 + 1));
        if packed.is_signed && may_keep && within(context.input_size) {
            let message = "The document is signed, and any change would invalidate the signature; the original was returned.";
            let warnings = vec![Warning::new("signature_kept", message)];
            return Ok(context.keep_original(engine_name(context, &opened), info, warnings));
        }
        if best.as_ref().is_none_or(|best| packed.size < best.size) {
            best = Some(packed);
        }
        if settings.target_size.is_some() && best.as_ref().is_some_and(|best| within(best.size)) {
            break;
        }
    }
    let best = best.ok_or_else(|| Failure::Infrastructure("a document without steps".to_owned()))?;
    if let Some(target) = settings.target_size.filter(|target| best.size > *target) {
        return Err(size_search::target_unreachable(target, best.size));
    }
    if may_keep && best.size >= context.input_size {
        return Ok(context.keep_original(engine_name(context, &opened), info, Vec::new()));
    }
    let made = FileProperties::of_document(u32::try_from(opened.asked).unwrap_or(u32::MAX));
    let mut warnings = opened.warnings();
    warnings.extend(best.warnings);
    if best.is_signed {
        let message = "The document was signed; its signatures are not valid for the output.";
        warnings.push(Warning::new("signature_broken", message));
    }
    context.finish(&best.file, engine_name(context, &opened), (info, made), warnings).await
}

/// The compressions to try, in order; `None` means lossless.
fn compression_steps(context: &Context<'_>) -> Vec<Option<ImageCompression>> {
    let settings = &context.plan.settings;
    if settings.lossless == Some(true) {
        return vec![None];
    }
    if settings.target_size.is_none() {
        return vec![Some(ImageCompression {
            dpi: settings.dpi.unwrap_or(DEFAULT.dpi),
            quality: settings.quality.unwrap_or(DEFAULT.quality),
            recode: settings.quality.is_some(),
        })];
    }
    let most = (settings.dpi.unwrap_or(u32::MAX), settings.quality.unwrap_or(100));
    let bounded = LADDER.iter().map(|(dpi, quality)| {
        Some(ImageCompression { dpi: (*dpi).min(most.0), quality: (*quality).min(most.1), recode: true })
    });
    [None].into_iter().chain(bounded).collect()
}

/// The result of one step.
struct PackedDocument {
    file: String,
    size: u64,
    is_signed: bool,
    warnings: Vec<Warning>,
}

/// Recompresses the streams and writes the document, which qpdf then checks.
async fn pack(
    context: &Context<'_>,
    compression: Option<ImageCompression>,
    output: String,
) -> Result<PackedDocument, Failure> {
    let request = Request::Recode(PdfRecoding {
        document: OBJECTS.to_owned(),
        update: UPDATE.to_owned(),
        compression,
        strip: context.plan.settings.strip_metadata,
        limits: context.engine_limits(),
    });
    let (has_update, signed, mut warnings) = match context.engine(&request).await {
        Ok(made) => (!made.unchanged, Some(made.signed), made.warnings),
        // If the engine fails on a document, qpdf still compresses it completely.
        Err(Failure::File {
            code: TaskErrorCode::ConversionFailed | TaskErrorCode::TooMuchMemory, ..
        }) => (false, None, vec![Warning::streams_kept()]),
        Err(failure) => return Err(failure),
    };
    // What the engine could not read, it knows nothing about.
    let is_signed = match signed.filter(|_| warnings.is_empty()) {
        Some(signed) => signed,
        None => signature_scan::has_signature(context.path(CLEAN))
            .await
            .map_err(|error| Failure::Infrastructure(format!("cannot read a document: {error}")))?,
    };
    let update = has_update.then_some(UPDATE);
    qpdf(context, pdf_commands::qpdf_pack(update, CLEAN, &output)).await?;
    if has_update && qpdf(context, pdf_commands::qpdf_check(&output)).await.is_err() {
        tracing::warn!("a recompressed document did not pass the check of qpdf; keeping its streams");
        warnings = vec![Warning::streams_kept()];
        qpdf(context, pdf_commands::qpdf_pack(None, CLEAN, &output)).await?;
    }
    let size = context.size_of(&output).await.ok_or_else(|| {
        Failure::file(TaskErrorCode::ConversionFailed, "The conversion produced no output.")
    })?;
    Ok(PackedDocument { file: output, size, is_signed, warnings })
}

fn engine_name(context: &Context<'_>, opened: &OpenedDocument) -> String {
    let tools = &context.environment.tools;
    let mut names = Vec::new();
    if opened.is_repaired {
        names.push(context.engine_name(Some(("ghostscript", tools.ghostscript.as_ref()))));
    }
    names.push(context.engine_name(Some(("qpdf", tools.qpdf.as_ref()))));
    names.push(context.engine_name(None));
    names.join(", ")
}
