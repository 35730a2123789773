//! Any file as the font of SVG text: glyphs or none, and bounded work.

#![no_main]

use filepress::image::process;
use filepress::job::{self, Job};
use filepress::limits::Limits;
use filepress::options::Options;
use filepress_fuzz::check_conversion::check_error;
use filepress_fuzz::{memory, seeds};
use filepress_wire::MediaType;
use libfuzzer_sys::{Corpus, fuzz_target};

const TEXTS: [&str; 4] = [
    "AVfi To\u{301}",
    "\u{644}\u{627}\u{633}\u{644}\u{627}\u{645} \u{5D0}",
    "1/2 ffl e\u{308}\u{327}",
    "\u{915}\u{93F}\u{1F600}\u{FE0F}\u{4E00}",
];

fuzz_target!(init: seeds::write_if_requested(fonts), |bytes: &[u8]| -> Corpus {
    let Some((style, font)) = bytes.split_first() else { return Corpus::Reject };
    let weight = if style & 4 != 0 { 700 } else { 400 };
    let mode = if style & 8 != 0 { "tb" } else { "lr" };
    let variant = if style & 16 != 0 { "small-caps" } else { "normal" };
    let drawing = format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="40" height="24"><text x="1" y="14" font-size="9" textLength="38" text-decoration="underline" font-weight="{weight}" writing-mode="{mode}" font-variant="{variant}" stroke="red" stroke-width=".2">{}</text></svg>"#,
        TEXTS[usize::from(style & 3)]
    );
    let limits = Limits { max_memory_bytes: 32 << 20, ..Limits::default() };
    let options = Options {
        to: Some("image/qoi".to_owned()),
        fonts: Some(vec![font.to_vec()]),
        limits: Some(limits),
        ..Options::default()
    };
    let Ok(Job::Local(job)) = job::plan(MediaType::Svg, &options) else { return Corpus::Reject };
    match memory::within(limits.max_memory_bytes, || process(drawing.as_bytes(), &job, &mut |_| {})) {
        Ok(output) => assert_eq!((output.report.width, output.report.height), (40, 24)),
        Err(error) => check_error(&error),
    }
    Corpus::Keep
});

/// The built-in fonts, and the smallest file with the signature of a font.
fn fonts() -> Vec<Vec<u8>> {
    let fonts: [&[u8]; 4] = [
        include_bytes!("../../assets/fonts/Roboto-Regular.ttf"),
        include_bytes!("../../assets/fonts/Roboto-Bold.ttf"),
        include_bytes!("../../assets/fonts/DejaVuSans-Symbols.ttf"),
        b"\0\x01\0\0\0\x01\0\0\0\0\0\0head\0\0\0\0\0\0\0\x1C\0\0\0\x36",
    ];
    let styled = |style: u8| fonts.map(|font| [&[style], font].concat());
    [0, 5, 10, 19].into_iter().flat_map(styled).collect()
}
