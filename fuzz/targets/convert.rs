//! Any file, by any options: what comes out is what is told, or an error that a caller can deal with.

#![no_main]

use filepress_fuzz::asked::Asked;
use filepress_fuzz::{converted, seeds};
use libfuzzer_sys::{Corpus, fuzz_target};

fuzz_target!(init: seeds::when_asked(seeds::calls), |bytes: &[u8]| -> Corpus {
    let Some(asked) = Asked::read(bytes) else { return Corpus::Reject };
    converted::convert(&asked);
    Corpus::Keep
});
