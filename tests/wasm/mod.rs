//! Values that cross between JavaScript and Rust: the same tests in every runtime.

use filepress::js::engine::{inspect, process};
use filepress::js::memory::memory_bytes;
use filepress::js::panic::last_panic;
use filepress::js::planner::{formats, plan};
use js_sys::{Array, Function, Object, Reflect, Uint8Array};
use wasm_bindgen::JsValue;
use wasm_bindgen_test::wasm_bindgen_test;

/// A PNM picture of 40 × 30 colored pixels.
fn picture() -> Vec<u8> {
    let pixels =
        (0..40 * 30).flat_map(|at: u32| [(at % 40 * 6) as u8, (at / 40 * 8) as u8, (at % 7 * 30) as u8]);
    b"P6\n40 30\n255\n".iter().copied().chain(pixels).collect()
}

fn options(json: &str) -> JsValue {
    js_sys::JSON::parse(json).expect("JSON")
}

fn get(object: &JsValue, path: &str) -> JsValue {
    path.split('.')
        .fold(object.clone(), |object, name| Reflect::get(&object, &name.into()).expect("an object"))
}

fn text(object: &JsValue, path: &str) -> String {
    get(object, path).as_string().unwrap_or_else(|| panic!("{path} of {object:?} is no string"))
}

#[wasm_bindgen_test]
fn a_picture_comes_back_smaller_with_its_report() {
    let input = picture();
    let made = process(&input, None, options(r#"{"to":"image/jpeg","resize":{"width":20}}"#), None)
        .expect("a result");
    let bytes = Uint8Array::from(get(&made, "bytes")).to_vec();
    assert!(bytes.starts_with(&[0xFF, 0xD8, 0xFF]) && bytes.len() < input.len());
    assert_eq!(text(&made, "report.type"), "image/jpeg");
    assert_eq!(text(&made, "report.inputType"), "image/x-portable-anymap");
    assert_eq!(get(&made, "report.width"), 20);
    assert_eq!(get(&made, "report.height"), 15);
    assert_eq!(get(&made, "report.inputWidth"), 40);
    assert_eq!(get(&made, "report.quality"), 80);
    assert_eq!(get(&made, "report.keptOriginal"), false);
    assert_eq!(Array::from(&get(&made, "report.warnings")).length(), 0);
    assert!(memory_bytes() >= 65_536.0);
    assert_eq!(last_panic(), None);
}

#[wasm_bindgen_test]
fn an_input_that_is_the_result_does_not_cross_again() {
    let smallest = process(&picture(), None, options(r#"{"to":"png"}"#), None).expect("a PNG");
    let smallest = Uint8Array::from(get(&smallest, "bytes")).to_vec();
    let again = process(&smallest, None, JsValue::UNDEFINED, None).expect("a result");
    assert!(get(&again, "bytes").is_undefined());
    assert_eq!(get(&again, "report.keptOriginal"), true);
}

#[wasm_bindgen_test]
fn stages_are_told_in_order_and_may_throw() {
    let stages = Array::new();
    let bind = Function::new_with_args(
        "stages",
        "return (stage, ratio) => { stages.push([stage, ratio]); throw new Error('no'); }",
    );
    let note = Function::from(bind.call1(&JsValue::NULL, &stages).expect("a function"));
    process(&picture(), None, options(r#"{"to":"png","resize":{"width":10}}"#), Some(note))
        .expect("a result");
    let told: Vec<(String, f64)> = stages
        .iter()
        .map(|stage| {
            let stage = Array::from(&stage);
            (stage.get(0).as_string().expect("a name"), stage.get(1).as_f64().expect("a ratio"))
        })
        .collect();
    let names: Vec<&str> = told.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["decode", "resize", "encode", "done"]);
    assert!(told.is_sorted_by(|a, b| a.1 < b.1) && told[0].1 == 0.0 && told[3].1 == 1.0);
}

#[wasm_bindgen_test]
fn errors_are_plain_objects() {
    let misspelled =
        process(&picture(), None, options(r#"{"qualty":1}"#), None).expect_err("a misspelled option");
    assert_eq!(text(&misspelled, "kind"), "options");
    assert_eq!(text(&misspelled, "code"), "unknown_option");
    assert_eq!(text(&misspelled, "details.option"), "qualty");
    assert!(text(&misspelled, "message").contains("quality"));

    let limit = options(r#"{"limits":{"maxPixels":100}}"#);
    let too_many = process(&picture(), None, limit, None).expect_err("over a limit");
    assert_eq!(text(&too_many, "code"), "too_many_pixels");
    assert_eq!(get(&too_many, "details.actual"), 1200);
    assert_eq!(get(&too_many, "details.limit"), 100);

    let nothing = process(b"", None, JsValue::NULL, None).expect_err("no bytes");
    assert_eq!((text(&nothing, "kind"), text(&nothing, "code")), ("input".into(), "empty_input".into()));
}

#[wasm_bindgen_test]
fn odd_values_are_refused_and_absent_ones_are_not() {
    let undefined = Object::new();
    for name in ["to", "quality", "lossless", "effort", "resize", "background", "metadata", "limits"] {
        Reflect::set(&undefined, &name.into(), &JsValue::UNDEFINED).expect("an object");
    }
    process(&picture(), None, undefined.into(), None).expect("undefined members are as absent");

    for odd in [
        "NaN",
        "Infinity",
        "80.5",
        "-1",
        "1e9",
        "'80'",
        "[]",
        "{}",
        "true",
        "Symbol()",
        "() => 80",
        "new Date()",
    ] {
        let make = Function::new_no_args(&format!("return {{ quality: {odd} }}"));
        let value = make.call0(&JsValue::NULL).expect("a value");
        let error = process(&picture(), None, value, None).expect_err(odd);
        assert_eq!(text(&error, "code"), "invalid_option", "{odd}");
    }
    for odd in ["80", "'jpeg'", "true", "[]"] {
        let value = js_sys::eval(odd).expect("a value");
        assert_eq!(
            text(&process(&picture(), None, value, None).expect_err(odd), "code"),
            "invalid_option",
            "{odd}"
        );
    }
}

#[wasm_bindgen_test]
fn options_that_contain_themselves_are_refused() {
    for cycle in [
        "const it = {}; it.resize = it",
        "const it = {}; it.resize = [it]",
        "const it = new Map(); it.set('a', it)",
    ] {
        let make = Function::new_no_args(&format!("{cycle}; return {{ resize: it }}"));
        let value = make.call0(&JsValue::NULL).expect("a value");
        let error = process(&picture(), None, value, None).expect_err(cycle);
        assert_eq!(text(&error, "code"), "invalid_option", "{cycle}");
    }
}

#[wasm_bindgen_test]
fn plans_and_inspections_tell_types_and_builds() {
    let head = picture();
    let decided =
        plan(&head, head.len() as f64, None, None, options(r#"{"to":"webp"}"#), false).expect("a plan");
    assert_eq!(text(&decided, "inputType"), "image/x-portable-anymap");
    assert_eq!(text(&decided, "outputType"), "image/webp");
    assert_eq!((text(&decided, "engine"), text(&decided, "build")), ("local".into(), "core".into()));

    let heavy = |options, has_client| plan(b"%PDF-1.7\n", 9.0, None, None, options, has_client);
    let refused = heavy(JsValue::UNDEFINED, false).expect_err("a document");
    assert_eq!(text(&refused, "code"), "needs_service");
    let sent = heavy(options(r#"{"to":"png","resize":{"maxWidth":99},"effort":7,"minScore":70}"#), true)
        .expect("a plan");
    assert_eq!((text(&sent, "engine"), get(&sent, "build")), ("remote".into(), JsValue::NULL));
    assert_eq!(get(&sent, "settings.resize.max_width"), 99);
    assert_eq!(get(&sent, "settings.effort"), 7);
    assert_eq!(Array::from(&get(&sent, "ignored")).get(0), "minScore");

    let facts = inspect(&head, None, JsValue::UNDEFINED).expect("an image");
    assert_eq!((get(&facts, "width"), get(&facts, "height")), (40.into(), 30.into()));
    assert_eq!((get(&facts, "frames"), get(&facts, "orientation")), (1.into(), 1.into()));
    assert_eq!(text(&facts, "colorSpace"), "rgb");

    assert_eq!(Array::from(&formats()).length(), 40);
}
