//! Addresses of servers.

use std::{fmt, num::ParseIntError, str::FromStr};

use thiserror::Error;

/// A host, by name or by number, and a port.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Address {
    /// A name, or a numeric address (an IPv6 address without brackets).
    pub host: String,
    /// The TCP port.
    pub port: u16,
}

/// The text is not an address.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ParseAddressError {
    /// The host is missing.
    #[error("expected a host before the port, as in localhost:9035")]
    NoHost,
    /// The port is missing, and there is no default.
    #[error("expected a port after the host, as in localhost:9035")]
    NoPort,
    /// The port is not a number from 1 to 65535.
    #[error("expected a port from 1 to 65535 after the colon, found {0:?}")]
    Port(String),
    /// A bracket is not closed, or something other than a port follows it.
    #[error("expected [ADDRESS] or [ADDRESS]:PORT, as in [::1]:9035")]
    Bracket,
}

impl Address {
    /// Creates the address of a host and a port.
    pub fn new(host: impl Into<String>, port: u16) -> Self {
        Self {
            host: host.into(),
            port,
        }
    }

    /// Parses `HOST[:PORT]`, with `default_port` if there is no port.
    ///
    /// A numeric IPv6 address is in brackets if a port follows.
    ///
    /// # Errors
    ///
    /// Fails if the host is empty or the port is invalid.
    ///
    /// # Examples
    ///
    /// ```
    /// use othello_net::Address;
    ///
    /// assert_eq!(Address::parse("localhost", 9035)?, Address::new("localhost", 9035));
    /// assert_eq!(Address::parse("[::1]:9045", 9035)?, Address::new("::1", 9045));
    /// # Ok::<(), othello_net::ParseAddressError>(())
    /// ```
    pub fn parse(text: &str, default_port: u16) -> Result<Self, ParseAddressError> {
        Self::parse_with(text, Some(default_port))
    }

    fn parse_with(text: &str, default_port: Option<u16>) -> Result<Self, ParseAddressError> {
        let (host, port) = split(text)?;
        if host.is_empty() {
            return Err(ParseAddressError::NoHost);
        }
        let port = match port {
            Some(port) => parse_port(port)?,
            None => default_port.ok_or(ParseAddressError::NoPort)?,
        };
        Ok(Self::new(host, port))
    }
}

impl FromStr for Address {
    type Err = ParseAddressError;

    /// Parses `HOST:PORT`, as [`Address::parse`] does; the port is required.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::parse_with(text, None)
    }
}

/// Splits off the text of the port, if there is one.
fn split(text: &str) -> Result<(&str, Option<&str>), ParseAddressError> {
    if let Some(bracketed) = text.strip_prefix('[') {
        let (host, rest) = bracketed
            .split_once(']')
            .ok_or(ParseAddressError::Bracket)?;
        return match rest.strip_prefix(':') {
            Some(port) => Ok((host, Some(port))),
            None if rest.is_empty() => Ok((host, None)),
            None => Err(ParseAddressError::Bracket),
        };
    }
    Ok(match text.split_once(':') {
        // More than one colon without brackets: a bare IPv6 address.
        Some((_, rest)) if rest.contains(':') => (text, None),
        Some((host, port)) => (host, Some(port)),
        None => (text, None),
    })
}

fn parse_port(text: &str) -> Result<u16, ParseAddressError> {
    let port: Result<u16, ParseIntError> = text.parse();
    port.ok()
        .filter(|&port| port != 0)
        .ok_or_else(|| ParseAddressError::Port(text.into()))
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.host.contains(':') {
            write!(f, "[{}]:{}", self.host, self.port)
        } else {
            write!(f, "{}:{}", self.host, self.port)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_read_back() {
        for (text, host, port) in [
            ("example.org:80", "example.org", 80),
            ("127.0.0.1:1", "127.0.0.1", 1),
            ("[::1]:65535", "::1", 65535),
        ] {
            let address = Address::parse(text, 7).unwrap();
            assert_eq!(address, Address::new(host, port));
            assert_eq!(address.to_string(), text);
            assert_eq!(text.parse(), Ok(address));
        }
    }

    #[test]
    fn the_port_may_be_left_out() {
        for (text, host) in [("h", "h"), ("::1", "::1"), ("[fe80::2]", "fe80::2")] {
            assert_eq!(Address::parse(text, 7), Ok(Address::new(host, 7)));
            assert_eq!(text.parse::<Address>(), Err(ParseAddressError::NoPort));
        }
    }

    #[test]
    fn errors_say_what_was_expected() {
        let port = |found: &str| ParseAddressError::Port(found.into());
        for (text, error) in [
            ("", ParseAddressError::NoHost),
            (":80", ParseAddressError::NoHost),
            ("[]", ParseAddressError::NoHost),
            ("h:", port("")),
            ("h:0", port("0")),
            ("h:65536", port("65536")),
            ("h:x", port("x")),
            ("[::1", ParseAddressError::Bracket),
            ("[::1]x", ParseAddressError::Bracket),
        ] {
            assert_eq!(Address::parse(text, 7), Err(error), "{text}");
        }
    }
}
