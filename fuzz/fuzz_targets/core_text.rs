#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| boardgame_laws::othello::core::text(data));
