//! Files of game records.

use othello_records::{
    Format, Record, write_text,
    wthor::{Names, Writer},
};

/// Any bytes have a format or none; reading them ends, with errors inside them; everything read, even before an error,
/// is written as it reads back.
pub fn read(data: &[u8]) {
    let format = Format::detect(data).unwrap_or_else(|_| chosen(data));
    for read in format.read(data) {
        match read {
            Ok(record) => canonical(format, &record),
            Err(error) => {
                assert!(error.offset <= data.len() as u64, "{error}");
                assert!(error.game > 0, "{error}");
                if let Some(record) = &error.record {
                    canonical(format, record);
                }
            }
        }
    }
}

/// A format for bytes that have none.
fn chosen(data: &[u8]) -> Format {
    let choice = data.first().copied().unwrap_or_default();
    Format::ALL[usize::from(choice) % Format::ALL.len()]
}

/// Checks that a written record is read and written again as the same bytes.
fn canonical(format: Format, record: &Record) {
    let Some(first) = written(format, record) else {
        return;
    };
    let mut read = format.read(first.as_slice());
    let shown = String::from_utf8_lossy(&first);
    let again = read.next().expect("a record was written");
    let again = again.unwrap_or_else(|error| panic!("{error}: {shown}"));
    assert!(read.next().is_none(), "{shown}");
    assert_eq!(written(format, &again).as_ref(), Some(&first));
}

/// Returns the bytes of a record in a format, or `None` if the format cannot hold it.
fn written(format: Format, record: &Record) -> Option<Vec<u8>> {
    if format == Format::Wthor {
        let mut file = std::io::Cursor::new(Vec::new());
        let mut writer = Writer::new(&mut file, Names::default()).ok()?;
        writer.write(record).ok()?;
        writer.finish().ok()?;
        return Some(file.into_inner());
    }
    let mut text = Vec::new();
    write_text(format, record, 0, &mut text).ok()?;
    Some(text)
}
