#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| go_laws::gtp::player(data));
