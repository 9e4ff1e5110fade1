#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| othello_proto::laws::ggf::parse(data));
