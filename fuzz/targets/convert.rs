//! Any file with any options: the result is as reported, or the error is one that a caller can handle.

#![no_main]

use filepress_fuzz::fuzz_call::FuzzCall;
use filepress_fuzz::{check_conversion, seeds};
use libfuzzer_sys::{Corpus, fuzz_target};

fuzz_target!(init: seeds::write_if_requested(seeds::calls), |bytes: &[u8]| -> Corpus {
    let Some(call) = FuzzCall::read(bytes) else { return Corpus::Reject };
    check_conversion::check(&call);
    Corpus::Keep
});
