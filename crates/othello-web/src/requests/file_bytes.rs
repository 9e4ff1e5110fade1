//! The bytes of a file in JSON.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

/// The bytes of a file, in base 64 in JSON.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileBytes(pub Vec<u8>);

impl Serialize for FileBytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&STANDARD.encode(&self.0))
    }
}

impl<'de> Deserialize<'de> for FileBytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let bytes = STANDARD.decode(text);
        let wrong = |error| D::Error::custom(format_args!("expected bytes in base 64: {error}"));
        bytes.map(Self).map_err(wrong)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_written_in_base_64() {
        let bytes = FileBytes(b"f5\xff".into());
        let json = serde_json::to_string(&bytes).unwrap();
        assert_eq!(json, r#""ZjX/""#);
        assert_eq!(serde_json::from_str::<FileBytes>(&json).unwrap(), bytes);
    }
}
