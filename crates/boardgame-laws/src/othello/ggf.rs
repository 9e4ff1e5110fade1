//! GGF.

use othello_proto::ggf::Record;

/// Records read back unchanged and print canonically; their moves are a legal game or an error.
pub fn parse(data: &[u8]) {
    match Record::parse(data) {
        Ok(record) => {
            let text = record.to_string();
            assert_eq!(Record::parse(text.as_bytes()), Ok(record.clone()));
            if let Ok(game) = record.game() {
                let again = Record::of_game(&game);
                assert_eq!(again.game(), Ok(game));
            }
        }
        Err(error) => {
            assert!(error.offset() <= data.len());
            let (record, found) = Record::parse_until_error(data);
            assert_eq!(found, Some(error));
            let text = record.to_string();
            assert_eq!(Record::parse(text.as_bytes()), Ok(record));
        }
    }
}
