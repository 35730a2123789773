//! Images → PDF: the engine puts each on a page of its size. One process per image appends a page, so that the memory of one image
//! suffices for any number, and none sees another's file.

use super::context::{Context, INPUT_FILE};
use super::processing_metadata::FileProperties;
use crate::media::engine::{Embedding, EngineOutput, Request, Warning};
use crate::media::{ConversionResult, Failure};

/// The default number of pixels per inch.
const DEFAULT_DPI: u32 = 150;

pub(super) async fn run(context: &Context<'_>) -> Result<ConversionResult, Failure> {
    let plan = context.plan;
    let output = context.output_name();
    let mut options = plan.settings.engine_options(plan.output);
    options.remove("to");
    let inputs = plan.inputs();
    let count = inputs.len();
    let mut made = EngineOutput::default();
    let mut warnings = Warnings::default();
    for (index, input) in inputs.into_iter().enumerate() {
        let embedding = Embedding {
            source: context.image(INPUT_FILE, input),
            output: output.clone(),
            options: options.clone(),
            strip: plan.settings.strip_metadata,
            dpi: plan.settings.dpi.unwrap_or(DEFAULT_DPI),
            before: std::mem::take(&mut made.document),
            is_last: index + 1 == count,
        };
        made =
            context.engine_on(index, &Request::Embed(embedding)).await.map_err(|failure| match failure {
                Failure::File { code, detail } if count > 1 => {
                    Failure::file(code, format!("Image {} of {count}: {detail}", index + 1))
                }
                other => other,
            })?;
        warnings.add(index + 1, std::mem::take(&mut made.warnings));
        context.progress((index + 1) as f64 / (count + 1) as f64);
    }
    let input = match count {
        1 => FileProperties::of_input(&made),
        _ => FileProperties::of_files(count),
    };
    let info = (input, FileProperties::of_document(u32::try_from(count).unwrap_or(u32::MAX)));
    context.finish(&output, context.engine_name(None), info, warnings.list(count)).await
}

/// The warnings of all images, one for each code.
#[derive(Default)]
struct Warnings(Vec<(Warning, Vec<usize>)>);

impl Warnings {
    fn add(&mut self, image: usize, warnings: Vec<Warning>) {
        for warning in warnings {
            match self.0.iter_mut().find(|(known, _)| known.code == warning.code) {
                Some((_, images)) => images.push(image),
                None => self.0.push((warning, vec![image])),
            }
        }
    }

    /// With the numbers of the images, if there are several.
    fn list(self, count: usize) -> Vec<Warning> {
        let several = |(warning, mut images): (Warning, Vec<usize>)| {
            images.dedup();
            let numbers: Vec<_> = images.iter().map(usize::to_string).collect();
            Warning::new(&warning.code, format!("Images {}: {}", numbers.join(", "), warning.message))
        };
        match count {
            1 => self.0.into_iter().map(|(warning, _)| warning).collect(),
            _ => self.0.into_iter().map(several).collect(),
        }
    }
}
