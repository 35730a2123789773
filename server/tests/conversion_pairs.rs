//! The pairs of input and output types: the list is complete, and each type can be read and written.

mod tools;

use filepress_server::config::SandboxChoice;
use filepress_server::media::Failure;
use filepress_wire::{ErrorCode, MediaClass, MediaType};
use serde_json::json;
use tools::{Bench, is, object, toolbox};

fn of_class(class: MediaClass) -> Vec<MediaType> {
    MediaType::ALL.into_iter().filter(|media| media.class() == class).collect()
}

/// What every type becomes, by the decisions on the interface.
fn expected(input: MediaType, engine_reads_svg: bool) -> Vec<MediaType> {
    let is_raster = |media: &MediaType| !matches!(media, MediaType::Svg | MediaType::Heic);
    let raster: Vec<_> = of_class(MediaClass::Image).into_iter().filter(is_raster).collect();
    let moves = matches!(input, MediaType::Gif | MediaType::Webp);
    let mut outputs = match input.class() {
        MediaClass::Image if input == MediaType::Svg && !engine_reads_svg => Vec::new(),
        MediaClass::Image if input == MediaType::Heic => raster,
        MediaClass::Image => [raster, of_class(MediaClass::Document)].concat(),
        MediaClass::Video => [raster, of_class(MediaClass::Video), of_class(MediaClass::Audio)].concat(),
        MediaClass::Audio => of_class(MediaClass::Audio),
        MediaClass::Document => [raster, of_class(MediaClass::Document)].concat(),
    };
    if moves {
        outputs.extend(of_class(MediaClass::Video));
    }
    outputs.sort_by_key(|media| *media as u8);
    outputs
}

#[tokio::test]
async fn supported_pairs_match_the_api() {
    let tools = toolbox(SandboxChoice::Auto).await;
    let svg = filepress::media::local_support(MediaType::Svg).is_some();
    for input in MediaType::ALL {
        let mut outputs = tools.outputs(input);
        // A drawing stays one where the engine writes drawings.
        outputs.retain(|output| (input, *output) != (MediaType::Svg, MediaType::Svg));
        assert_eq!(outputs, expected(input, svg), "{input}");
    }
}

#[tokio::test]
async fn an_unsupported_pair_is_refused_with_the_supported_outputs() {
    let tools = toolbox(SandboxChoice::Auto).await;
    for (input, output) in [
        (MediaType::Mp3, MediaType::Mp4),
        (MediaType::Mp4, MediaType::Pdf),
        (MediaType::Jpeg, MediaType::Mp4),
        (MediaType::Pdf, MediaType::Mp3),
        (MediaType::Png, MediaType::Svg),
    ] {
        let refusal = tools.plan(input, Some(output), &object(json!({}))).expect_err("no such pair");
        assert_eq!(refusal.code, ErrorCode::UnsupportedPair);
        assert_eq!(refusal.pointer, "/data/attributes/format/output");
        for allowed in tools.outputs(input) {
            assert!(refusal.detail.contains(allowed.as_str()), "{}", refusal.detail);
        }
    }
}

#[tokio::test]
async fn a_task_without_settings_optimizes() {
    let tools = toolbox(SandboxChoice::Auto).await;
    for (output, settings, echo) in [
        (None, json!({}), json!({ "optimize": true })),
        (Some(MediaType::Png), json!({}), json!({ "optimize": true })),
        (Some(MediaType::Webp), json!({}), json!({})),
        (None, json!({ "quality": 5 }), json!({ "quality": 5, "optimize": true })),
        (Some(MediaType::Png), json!({ "effort": 1 }), json!({ "effort": 1 })),
    ] {
        let plan = tools.plan(MediaType::Png, output, &object(settings)).expect("a plan");
        assert_eq!(plan.settings(), object(echo));
        let again = tools.plan(MediaType::Png, Some(plan.output()), &plan.settings()).expect("the same");
        assert_eq!((again.output(), again.settings()), (plan.output(), plan.settings()));
    }
}

/// Converts and says what came of it that should not.
async fn fault(bench: &Bench, from: MediaType, to: MediaType) -> Option<String> {
    let input = match from {
        MediaType::Gif | MediaType::Webp if to.class() == MediaClass::Video => {
            bench.animation(&format!("moving.{}", from.extensions()[0]))
        }
        _ => bench.sample(from).await,
    };
    match bench.convert(&input, from, Some(to), json!({})).await {
        Ok(made) if is(&made.bytes, to) => None,
        Ok(_) => Some(format!("{from} → {to}: of another type")),
        Err(Failure::File { code, detail }) => Some(format!("{from} → {to}: {code}: {detail}")),
        Err(other) => Some(format!("{from} → {to}: {other:?}")),
    }
}

/// Every type goes in once and comes out once on each kind of way; `make matrix-server` goes all ways.
#[tokio::test]
async fn every_type_is_read_and_written() {
    let bench = Bench::new().await;
    let mut faults = Vec::new();
    let mut ways = 0;
    for input in MediaType::ALL.into_iter().filter(|input| !bench.tools.outputs(*input).is_empty()) {
        let outputs = bench.tools.outputs(input);
        for class in [MediaClass::Image, MediaClass::Video, MediaClass::Audio, MediaClass::Document] {
            let outputs: Vec<_> = outputs.iter().copied().filter(|output| output.class() == class).collect();
            // Another one for each input, so that each comes up.
            if let Some(output) = outputs.get(input as usize % outputs.len().max(1)) {
                ways += 1;
                faults.extend(fault(&bench, input, *output).await);
            }
        }
    }
    assert!(faults.is_empty(), "{} of {ways}:\n{}", faults.len(), faults.join("\n"));
    assert!(ways > 80, "{ways}");
}
