//! The objects of a document, as qpdf's JSON: counted, and compared one by one.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::Value;

use crate::tools::{Bench, run};

/// Members of a stream that tell how it is coded.
const CODING: [&str; 3] = ["/Filter", "/DecodeParms", "/Length"];
/// Members of an image that tell how many pixels it has.
const PIXELS: [&str; 2] = ["/Width", "/Height"];

/// The objects of a document, decrypted, and its trailer.
struct Graph(BTreeMap<String, Value>);

impl Graph {
    fn read(bench: &Bench, document: &Path) -> Self {
        let folder = bench.scratch();
        let (open, json) = (folder.join("open.pdf"), folder.join("objects.json"));
        let prefix = format!("--json-stream-prefix={}", folder.join("stream").display());
        let text = |path: &Path| path.to_str().expect("a path").to_owned();
        run("qpdf", &["--decrypt", "--object-streams=disable", &text(document), &text(&open)]);
        let options = ["--json-output=2", "--json-stream-data=file", "--decode-level=generalized", &prefix];
        let said = run("qpdf", &[&options[..], &[&text(&open), &text(&json)]].concat());
        let json = std::fs::read(&json).unwrap_or_else(|error| panic!("{error}: {said}"));
        let mut json: Value = serde_json::from_slice(&json).expect("JSON");
        Self(serde_json::from_value(json["qpdf"][1].take()).expect("objects"))
    }

    /// The object that a value refers to.
    fn object(&self, value: &Value) -> Option<&Value> {
        let text =
            value.as_str().filter(|text| text.ends_with(" 0 R") && !text.starts_with(['u', 'b', '/']))?;
        Some(self.0.get(&format!("obj:{text}")).unwrap_or(&Value::Null))
    }

    /// A value, or the value or dictionary of the object that it refers to.
    fn resolve<'a>(&'a self, value: &'a Value) -> &'a Value {
        self.object(value).map_or(value, |object| match object.get("stream") {
            Some(stream) => &stream["dict"],
            None => object.get("value").unwrap_or(&Value::Null),
        })
    }

    fn catalog(&self) -> &Value {
        &self.0["trailer"]["value"]["/Root"]
    }
}

/// What is not the same in two documents besides how streams are coded, how many pixels images have, and the members of the given names.
pub(crate) fn differences(bench: &Bench, one: &Path, other: &Path, but: &[&str]) -> Vec<String> {
    let (one, other) = (Graph::read(bench, one), Graph::read(bench, other));
    let mut comparison =
        Comparison { one: &one, other: &other, but, seen: BTreeSet::new(), found: Vec::new() };
    comparison.values(one.catalog(), other.catalog(), "/Root");
    comparison.found
}

struct Comparison<'a> {
    one: &'a Graph,
    other: &'a Graph,
    but: &'a [&'a str],
    /// Pairs of objects that were compared.
    seen: BTreeSet<(String, String)>,
    found: Vec<String>,
}

impl Comparison<'_> {
    fn values(&mut self, one: &Value, other: &Value, path: &str) {
        let (graphs, objects) = ((self.one, self.other), (self.one.object(one), self.other.object(other)));
        if let (Some(first), Some(second)) = objects {
            if !self.seen.insert((one.to_string(), other.to_string())) {
                return;
            }
            self.streams(first, second, path);
        }
        match (graphs.0.resolve(one), graphs.1.resolve(other)) {
            (Value::Object(first), Value::Object(second)) => {
                let is_image = first.get("/Subtype").is_some_and(|kind| kind == "/Image");
                let names: BTreeSet<&String> = first.keys().chain(second.keys()).collect();
                for name in names {
                    let is_pixel = is_image && PIXELS.contains(&name.as_str());
                    if is_pixel || CODING.contains(&name.as_str()) || self.but.contains(&name.as_str()) {
                        continue;
                    }
                    let member = |members: &serde_json::Map<String, Value>| {
                        members.get(name).cloned().unwrap_or_default()
                    };
                    self.values(&member(first), &member(second), &format!("{path}{name}"));
                }
            }
            (Value::Array(first), Value::Array(second)) if first.len() == second.len() => {
                for (at, (first, second)) in first.iter().zip(second).enumerate() {
                    self.values(first, second, &format!("{path}[{at}]"));
                }
            }
            (first, second) if first == second => {}
            (first, second) => self.found.push(format!("{path}: {first} became {second}")),
        }
    }

    fn streams(&mut self, one: &Value, other: &Value, path: &str) {
        let data = |object: &Value| {
            let file = object["stream"]["datafile"].as_str()?.to_owned();
            let is_image = object["stream"]["dict"]["/Subtype"] == "/Image";
            (!is_image).then(|| std::fs::read(file).expect("the data of a stream"))
        };
        if data(one) != data(other) {
            self.found.push(format!("{path}: the data of a stream"));
        }
    }
}

/// How often each part of documents occurs.
pub(crate) type Inventory = BTreeMap<&'static str, usize>;

/// Whether a part says who made a document.
pub(crate) fn is_metadata(part: &str) -> bool {
    matches!(part, "Document information" | "XMP")
}

/// Counts the parts of a document.
pub(crate) fn inventory(bench: &Bench, document: &Path) -> Inventory {
    let graph = Graph::read(bench, document);
    let catalog = graph.resolve(graph.catalog());
    let mut inventory = Inventory::new();
    let mut count = |part, number: usize| *inventory.entry(part).or_default() += number;
    let has = |name: &str| usize::from(catalog.get(name).is_some());
    count("Language", has("/Lang"));
    count("Marked content", has("/MarkInfo"));
    count("Bookmarks", has("/Outlines"));
    count("Page labels", has("/PageLabels"));
    count("Portfolio", has("/Collection"));
    count("Layers", has("/OCProperties"));
    count("XMP", has("/Metadata"));
    count("Document information", usize::from(graph.0["trailer"]["value"].get("/Info").is_some()));
    let is_encrypted = run("qpdf", &["--show-encryption", document.to_str().expect("a path")]);
    count("Encryption", usize::from(!is_encrypted.contains("not encrypted")));
    let objects = graph.0.iter().filter(|(name, _)| name.starts_with("obj:"));
    for value in objects.map(|(_, object)| object.get("value").unwrap_or(&object["stream"]["dict"])) {
        let is = |name: &str, expected: &str| value.get(name).is_some_and(|value| value == expected);
        let has = |name: &str| value.get(name).is_some();
        count("Form fields", usize::from(has("/FT")));
        count("Annotations", usize::from(has("/Rect") && has("/Subtype")));
        count("Attachments", usize::from(has("/EF")));
        count("Tags", usize::from(is("/Type", "/StructElem") || (has("/S") && has("/P") && has("/K"))));
        count("Alternative texts", usize::from(has("/Alt")));
        count("Fonts that are not embedded", usize::from(is("/Type", "/FontDescriptor") && !embeds(value)));
        count(
            "Spot colors",
            graph
                .resolve(value.get("/ColorSpace").unwrap_or(&Value::Null))
                .get(0)
                .map_or(0, |space| usize::from(space == "/Separation")),
        );
        count("Soft masks", usize::from(is("/Subtype", "/Image") && has("/SMask")));
        count("JBIG2 images", usize::from(is("/Filter", "/JBIG2Decode")));
    }
    inventory
}

fn embeds(descriptor: &Value) -> bool {
    ["/FontFile", "/FontFile2", "/FontFile3"].iter().any(|name| descriptor.get(name).is_some())
}
