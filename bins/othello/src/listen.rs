//! The address of a server of the page, and the clients that it answers.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener};

use anyhow::{Context as _, ensure};
use othello_web::{Hosts, Token};

/// The settings of a server that listens.
#[derive(Clone, Default)]
pub(crate) struct Listen<'a> {
    /// The names by which browsers may call this computer, apart from its address.
    pub(crate) names: &'a [String],
    pub(crate) token: Option<Token>,
    /// The option that sets the token, for errors.
    pub(crate) token_option: &'static str,
}

impl Listen<'_> {
    /// Returns a listener that does not block.
    ///
    /// # Errors
    ///
    /// Fails if other computers can reach the address but there is no token, or if the address is not free.
    pub(crate) fn bind(&self, asked: SocketAddr) -> anyhow::Result<TcpListener> {
        ensure!(
            asked.ip().is_loopback() || self.token.is_some(),
            "{asked}: expected {} TOKEN too, since other computers reach this address",
            self.token_option
        );
        let listener = TcpListener::bind(asked).with_context(|| asked.to_string())?;
        listener.set_nonblocking(true)?;
        Ok(listener)
    }

    /// Returns the hosts that requests may name. A server on all addresses is also `localhost`.
    pub(crate) fn hosts(&self, bound: SocketAddr) -> Hosts {
        let local = bound.ip().is_unspecified().then(|| "localhost".to_owned());
        Hosts::new(bound, self.names.iter().cloned().chain(local))
    }

    /// Returns the address of the page, with the token, which the page then keeps.
    pub(crate) fn url(&self, bound: SocketAddr) -> String {
        self.url_of(bound, "")
    }

    /// Returns the address of another page, with the token.
    pub(crate) fn url_of(&self, bound: SocketAddr, page: &str) -> String {
        let host = match (self.names.first(), bound.ip()) {
            (Some(name), _) => format!("{name}:{}", bound.port()),
            (None, ip) => SocketAddr::new(reachable(ip), bound.port()).to_string(),
        };
        let token = self.token.as_ref();
        let query = token.map_or_else(String::new, |token| format!("?token={}", token.reveal()));
        format!("http://{host}/{page}{query}")
    }
}

/// Returns an address for reaching a server, bound to `bound`, from this computer.
const fn reachable(bound: IpAddr) -> IpAddr {
    match bound {
        IpAddr::V4(ip) if ip.is_unspecified() => IpAddr::V4(Ipv4Addr::LOCALHOST),
        IpAddr::V6(ip) if ip.is_unspecified() => IpAddr::V6(Ipv6Addr::LOCALHOST),
        ip => ip,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_has_an_address_that_can_be_opened() {
        let listen = Listen {
            token: Some(Token::new("0123456789abcdef").unwrap()),
            ..Listen::default()
        };
        for (bound, url) in [
            ("127.0.0.1:80", "http://127.0.0.1:80/"),
            ("0.0.0.0:80", "http://127.0.0.1:80/"),
            ("[::]:80", "http://[::1]:80/"),
            ("[fe80::1]:80", "http://[fe80::1]:80/"),
        ] {
            let bound = bound.parse().unwrap();
            assert_eq!(listen.url(bound), format!("{url}?token=0123456789abcdef"));
        }
        let names = ["othello.example".to_owned()];
        let names = Listen {
            names: &names,
            ..Listen::default()
        };
        let bound = "0.0.0.0:80".parse().unwrap();
        assert_eq!(names.url(bound), "http://othello.example:80/");
        assert!(names.hosts(bound).allow("othello.example:80"));
        assert!(names.hosts(bound).allow("localhost:80"));
    }
}
