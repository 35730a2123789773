//! Several pages of a PDF → images in a ZIP archive, stored without compression because images are already compressed.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use filepress_wire::TaskErrorCode;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use super::context::Context;
use super::page_raster::{self, RasterizedPage};
use super::processing_metadata::FileProperties;
use crate::media::engine::Warning;
use crate::media::{ConversionResult, Failure};

/// The name of the output.
const ARCHIVE: &str = "pages.zip";
/// The media type of a ZIP archive.
const ZIP: &str = "application/zip";
/// The minimum number of digits in an entry's name.
const DIGITS: usize = 3;
/// Entries of at least this size use ZIP64.
const LARGE: u64 = 1 << 31;

/// Converts the requested pages of `file`.
pub(super) async fn run(
    context: &Context<'_>,
    file: &str,
    pages: &[u32],
    of: u32,
) -> Result<ConversionResult, Failure> {
    let digits = pages.iter().max().map_or(0, |page| page.to_string().len()).max(DIGITS);
    let extension = context.plan.output.extensions().first().copied().unwrap_or("bin");
    let archive = context.path(ARCHIVE);
    let mut writer = Writer::create(&archive).map_err(fault)?;
    let mut warnings: Vec<Warning> = Vec::new();
    let mut total = 0;
    for (index, page) in pages.iter().enumerate() {
        let RasterizedPage { file, made } = page_raster::rasterize(context, file, *page).await?;
        total += context.size_of(&file).await.unwrap_or(0);
        if total > context.job.limits.output {
            let detail = format!("The result exceeds the maximum of {} bytes.", context.job.limits.output);
            return Err(Failure::file(TaskErrorCode::OutputTooLarge, detail));
        }
        // A page that was requested twice gets two entries.
        let again = pages[..index].iter().filter(|other| *other == page).count();
        let again = if again > 0 { format!("-{}", again + 1) } else { String::new() };
        let name = format!("page-{page:0digits$}{again}.{extension}");
        let image = context.path(&file);
        writer = tokio::task::spawn_blocking(move || writer.add(name, &image).map(|()| writer))
            .await
            .map_err(|error| Failure::Infrastructure(format!("cannot write an archive: {error}")))?
            .map_err(fault)?;
        for warning in made.warnings {
            if warnings.iter().all(|known| known.code != warning.code) {
                warnings.push(warning);
            }
        }
        context.progress((index + 1) as f64 / (pages.len() + 1) as f64);
    }
    writer.0.finish().map_err(|error| fault(error.into()))?;
    let made = FileProperties {
        container: Some(ZIP),
        ..FileProperties::of_document(u32::try_from(pages.len()).unwrap_or(u32::MAX))
    };
    let info = (FileProperties::of_document(of), made);
    let done = context.finish(ARCHIVE, page_raster::engine_name(context), info, warnings).await?;
    Ok(ConversionResult { is_archive: true, ..done })
}

struct Writer(ZipWriter<File>);

impl Writer {
    fn create(path: &Path) -> io::Result<Self> {
        Ok(Self(ZipWriter::new(OpenOptions::new().write(true).create_new(true).open(path)?)))
    }

    /// Moves a file into the archive.
    fn add(&mut self, name: String, file: &PathBuf) -> io::Result<()> {
        let mut source = File::open(file)?;
        let is_large = source.metadata()?.len() >= LARGE;
        let options =
            SimpleFileOptions::default().compression_method(CompressionMethod::Stored).large_file(is_large);
        self.0.start_file(name, options)?;
        io::copy(&mut source, &mut self.0)?;
        std::fs::remove_file(file)
    }
}

fn fault(error: io::Error) -> Failure {
    Failure::Infrastructure(format!("cannot write an archive: {error}"))
}
