#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| othello_laws::records::read(data));
