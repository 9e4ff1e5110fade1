use super::*;

fn encoded(text: &str, label: &str) -> Vec<u8> {
    let encoding = Encoding::for_label(label.as_bytes()).expect("an encoding");
    encoding.encode(text).0.into_owned()
}

/// The text, and the encoding if it was guessed.
fn told(bytes: &[u8]) -> (String, Option<String>) {
    let (text, read_as) = decode(bytes);
    (text, read_as.map(|read_as| read_as.to_string()))
}

#[test]
fn the_encoding_that_a_record_names_counts() {
    for (label, text) in [
        ("Shift_JIS", "本因坊表ソ"),
        ("cp932", "村川大介"),
        ("GB2312", "吴清源"),
        ("big5", "功許蓋"),
        ("euc-kr", "이창호"),
        ("ISO-2022-JP", "秀策"),
        ("ISO8859_1", "Müller"),
        ("utf8", "Müller, 本"),
    ] {
        for head in ["(;GM[1]", "(;C[TEXT]", "(;\n", "(;GM[1]PB[TEXT]PW[a\\]] "] {
            let text = format!("{head}CA[{label}]C[TEXT];B[aa])\n").replace("TEXT", text);
            let label = encoding_named(label.as_bytes()).unwrap().name();
            let bytes = encoded(&text, label);
            assert_eq!(told(&bytes), (text, None));
        }
    }
}

#[test]
fn a_wrong_name_does_not_damage_utf_8() {
    for text in ["(;CA[gb2312]PB[吴清源])", "(;CA[ISO-8859-1]PB[Müller])"] {
        assert_eq!(told(text.as_bytes()), (text.to_owned(), None));
    }
}

#[test]
fn a_byte_order_mark_tells_the_encoding() {
    let text = "(;CA[Shift_JIS]C[Müller]\n;B[aa])\n";
    let marked = format!("\u{feff}{text}");
    let utf_16 =
        |bytes: fn(u16) -> [u8; 2]| -> Vec<u8> { marked.encode_utf16().flat_map(bytes).collect() };
    let [little, big] = [utf_16(u16::to_le_bytes), utf_16(u16::to_be_bytes)];
    for bytes in [marked.as_bytes(), &little, &big, &little[2..], &big[2..]] {
        assert_eq!(told(bytes), (text.to_owned(), None));
    }
}

#[test]
fn other_text_is_utf_8_or_guessed_or_latin_1() {
    for (label, text, name) in [
        ("utf-8", "René", None),
        ("latin1", "René", Some("windows-1252")),
        ("latin1", "Nicolaï", Some("windows-1252")),
        ("latin1", "Müller - José García", Some("windows-1252")),
        ("windows-1250", "Jiří Novák", Some("windows-1250")),
        ("gbk", "吴清源", Some("GBK")),
        ("sjis", "黒番中押し勝ち", Some("Shift_JIS")),
        ("big5", "黑中盤勝", Some("Big5")),
        ("iso-2022-jp", "本因坊", Some("ISO-2022-JP")),
    ] {
        let text = format!("(;GM[1]PB[{text}];B[aa])\n");
        let name = name.map(|name| format!("read as {name}"));
        assert_eq!(told(&encoded(&text, label)), (text, name));
    }
    let escapes = "(;PB[\u{1b}[31mred])";
    assert_eq!(told(escapes.as_bytes()), (escapes.to_owned(), None));
}

#[test]
fn every_record_has_an_encoding_of_its_own() {
    let japanese = &encoded("(;GM[1]CA[sjis]C[本\n(;B[aa]C[ソ]))\n", "sjis")[..];
    let german = &encoded("(;FF[4]PB[Müller])\n(;FF[4]PB[Jürgen])\n", "latin1")[..];
    let utf_8 = "\u{feff}(;GM[1]PB[é本];B[aa])\n[Event \"é\"]\n".as_bytes();
    let bytes = [japanese, german, utf_8].concat();
    let lines = TextReader::new(&bytes[..]).lines();
    let lines: Vec<String> = lines.map(Result::unwrap).collect();
    assert_eq!(
        lines.concat(),
        "(;GM[1]CA[sjis]C[本(;B[aa]C[ソ]))(;FF[4]PB[Müller])(;FF[4]PB[Jürgen])(;GM[1]PB[é本];B[aa])[Event \"é\"]"
    );
}

#[test]
fn damaged_text_is_told_as_such() {
    let text = "(;CA[UTF-8]C[本因坊秀策、本因坊秀策])";
    let mut bytes = text.as_bytes().to_vec();
    bytes.remove(14);
    let (text, read_as) = told(&bytes);
    assert!(text.contains("\u{fffd}因坊"), "{text}");
    assert_eq!(
        read_as.as_deref(),
        Some("read as UTF-8, parts of which are damaged")
    );
    // Bytes that another encoding explains are not damage.
    let text = "(;CA[UTF-8]PB[吴清源])";
    assert_eq!(
        told(&encoded(text, "gbk")),
        (text.to_owned(), Some("read as GBK".into()))
    );
    let cut = encoded("(;CA[gbk]C[吴清源])", "gbk");
    let (_, read_as) = decode(&cut[..cut.len() - 3]);
    assert!(read_as.unwrap().damaged);
}

#[test]
fn places_are_those_of_the_source() {
    for label in ["sjis", "utf-8", "gbk", "euc-jp"] {
        let bytes = encoded(&format!("(;CA[{label}]C[表a]\n;B[aa]C[ソ]x"), label);
        let mut reader = TextReader::new(&bytes[..]);
        let mut place = None;
        while let Ok(read @ [_, ..]) = reader.fill_buf() {
            let is_x = read[0] == b'x';
            // Whole letters are consumed.
            let letter = String::from_utf8_lossy(read).chars().next();
            place = is_x.then(|| reader.offset()).or(place);
            reader.consume(letter.map_or(0, char::len_utf8));
        }
        assert_eq!(place, Some(bytes.len() as u64 - 1), "{label}");
    }
}

#[test]
fn small_buffers_and_long_lines_make_no_difference() {
    let text = format!("(;CA[gbk]C[{}]\n;B[aa]C[本])\n", "本".repeat(600_000));
    let bytes = encoded(&text, "gbk");
    let reader = io::BufReader::with_capacity(3, &bytes[..]);
    assert_eq!(io::read_to_string(TextReader::new(reader)).unwrap(), text);
}
