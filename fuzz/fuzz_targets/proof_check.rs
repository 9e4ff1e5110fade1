#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| othello_laws::proofs::check(data));
