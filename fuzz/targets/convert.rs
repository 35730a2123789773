//! Any file with any options: the result is as reported, or the error is one that a caller can handle.

#![no_main]

use filepress_fuzz::asked::Asked;
use filepress_fuzz::{converted, seeds};
use libfuzzer_sys::{Corpus, fuzz_target};

fuzz_target!(init: seeds::when_asked(seeds::calls), |bytes: &[u8]| -> Corpus {
    let Some(asked) = Asked::read(bytes) else { return Corpus::Reject };
    converted::convert(&asked);
    Corpus::Keep
});
