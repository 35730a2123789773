//! Documents with false lengths, cycles or endless structures.

use filepress_wire::MediaType;
use serde_json::json;

use crate::tools::{Bench, pdf_of, run};

/// A page that draws `/X`, object 4, which is among the objects from number 4 on.
fn page_of(objects: &[String]) -> Vec<u8> {
    let content = "q 100 0 0 100 0 0 cm /X Do Q";
    let mut all = vec![
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        format!("<< /Type /Pages /Count 1 /Kids [{} 0 R] >>", 4 + objects.len()),
        format!("<< /Length {} >>\nstream\n{content}\nendstream", content.len()),
    ];
    all.extend_from_slice(objects);
    all.push(
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Contents 3 0 R /Resources << /XObject << /X 4 0 R >> >> >>"
            .to_owned(),
    );
    pdf_of(&all.into_iter().map(String::into_bytes).collect::<Vec<_>>(), "")
}

fn stream(dictionary: &str, data: &str) -> String {
    format!("<< {dictionary} /Length {} >>\nstream\n{data}\nendstream", data.len())
}

fn image(members: &str, data: &str) -> String {
    stream(&format!("/Type /XObject /Subtype /Image {members}"), data)
}

fn form(members: &str, content: &str) -> String {
    stream(&format!("/Type /XObject /Subtype /Form /BBox [0 0 1 1] {members}"), content)
}

/// Each is a sound file, and what cannot be understood in it stays as it is.
#[tokio::test]
async fn inconsistent_documents_are_not_changed() {
    let bench = Bench::new().await;
    let rgb = "/ColorSpace /DeviceRGB /BitsPerComponent 8";
    let deep = format!("{}1{}", "[".repeat(300), "]".repeat(300));
    let hexadecimal = "/Filter [/ASCIIHexDecode /FlateDecode]";
    let cases = [
        ("vast", vec![image(&format!("/Width 2000000000 /Height 2000000000 {rgb}"), "abc")]),
        ("negative", vec![image(&format!("/Width -5 /Height 1e30 {rgb}"), "abc")]),
        ("short", vec![image(&format!("/Width 500 /Height 500 {rgb}"), "abc")]),
        ("no space", vec![image("/Width 1 /Height 1 /BitsPerComponent 8 /ColorSpace 4 0 R", "abc")]),
        ("own mask", vec![image(&format!("/Width 1 /Height 1 {rgb} /SMask 4 0 R"), "abc")]),
        (
            "predictor",
            vec![image(
                &format!(
                    "/Width 9 /Height 9 {rgb} {hexadecimal} /DecodeParms [null << /Predictor 15 /Columns 999999999 /Colors 60 >>]"
                ),
                "789C4B4C4A0600024D0127>",
            )],
        ),
        (
            "filters",
            vec![image(
                &format!("/Width 1 /Height 1 {rgb} /Filter [{}]", "/ASCII85Decode ".repeat(500)),
                "abc~>",
            )],
        ),
        ("circle", vec![form("/Resources << /XObject << /X 4 0 R >> >>", "/X Do /X Do")]),
        (
            "nothing",
            vec![
                form("/Matrix [0 0 0 0 0 0] /Resources << /XObject << /X 5 0 R >> >>", "/X Do"),
                image(&format!("/Width 1 /Height 1 {rgb}"), "abc"),
            ],
        ),
        ("brackets", vec![form("", &"[<<(".repeat(20_000))]),
        ("deep", vec![form(&format!("/Deep {deep}"), "q Q")]),
        (
            "saves",
            vec![
                form("/Resources << /XObject << /X 5 0 R >> >>", &format!("{} /X Do", "q ".repeat(50_000))),
                image(&format!("/Width 1 /Height 1 {rgb}"), "abc"),
            ],
        ),
    ];
    for (name, objects) in cases {
        let input = bench.write("hostile.pdf", page_of(&objects));
        let made = bench.convert(&input, MediaType::Pdf, Some(MediaType::Pdf), json!({ "pages": "1" })).await;
        let made = made.unwrap_or_else(|failure| panic!("{name}: {failure:?}"));
        let output = bench.write("output.pdf", &made.bytes);
        let pages = run("qpdf", &["--show-npages", output.to_str().expect("a path")]);
        assert_eq!(pages.trim().lines().last(), Some("1"), "{name}: {pages}");
    }
}

/// Forms that draw each other twice, forty deep: 2^40 images, if each were followed.
#[tokio::test]
async fn nested_forms_are_interpreted_once() {
    let bench = Bench::new().await;
    let mut forms: Vec<String> = (5..45)
        .map(|next| {
            form(&format!("/Resources << /XObject << /X {next} 0 R >> >>"), "/X Do 1 0 0 1 0.1 0 cm /X Do")
        })
        .collect();
    forms.push(image("/Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8", "a"));
    let input = bench.write("multiplied.pdf", page_of(&forms));
    let made = bench.convert(&input, MediaType::Pdf, Some(MediaType::Pdf), json!({ "pages": "1" })).await;
    assert!(made.is_ok(), "{:?}", made.err());
}
