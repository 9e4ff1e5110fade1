//! Who may ask: the checks of Host, Origin and token.
//!
//! Without them any page that a browser shows could use a server on the same computer: by a request of another origin,
//! or through a name of its own that it points to 127.0.0.1 (DNS rebinding).

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use axum::{
    extract::{Request, State},
    http::{
        HeaderMap, HeaderValue, Method, StatusCode,
        header::{AUTHORIZATION, COOKIE, HOST, LOCATION, ORIGIN, SET_COOKIE},
        uri::Authority,
    },
    middleware::Next,
    response::{IntoResponse as _, Response},
};
use subtle::ConstantTimeEq as _;

use crate::error::ApiError;

/// The cookie that holds the token.
const COOKIE_NAME: &str = "othello_token";

/// The hosts that a request may name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hosts {
    port: u16,
    addresses: Addresses,
    names: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Addresses {
    Some(Vec<IpAddr>),
    /// No page of another site can have an address in the place of its name, so any will do.
    Any,
}

impl Hosts {
    /// Returns the hosts of a server that is bound to an address: this, on a loopback address also `localhost` and its
    /// addresses, and on an unspecified one (`0.0.0.0`) any address. `names` are allowed besides.
    ///
    /// # Examples
    ///
    /// ```
    /// use othello_web::Hosts;
    ///
    /// let hosts = Hosts::new("127.0.0.1:8080".parse()?, ["othello.example".into()]);
    /// assert!(hosts.allow("localhost:8080") && hosts.allow("othello.example:8080"));
    /// assert!(!hosts.allow("localhost") && !hosts.allow("other.example:8080"));
    /// # Ok::<(), std::net::AddrParseError>(())
    /// ```
    pub fn new(bound: SocketAddr, names: impl IntoIterator<Item = String>) -> Self {
        let mut names: Vec<String> = names.into_iter().collect();
        let mut addresses = vec![bound.ip()];
        if bound.ip().is_loopback() {
            names.push("localhost".into());
            addresses.push(Ipv4Addr::LOCALHOST.into());
            addresses.push(Ipv6Addr::LOCALHOST.into());
        }
        Self {
            port: bound.port(),
            addresses: if bound.ip().is_unspecified() {
                Addresses::Any
            } else {
                Addresses::Some(addresses)
            },
            names,
        }
    }

    /// Returns `true` if a request may name this host, with its port where that is not 80.
    pub fn allow(&self, host: &str) -> bool {
        let Ok(authority) = host.parse::<Authority>() else {
            return false;
        };
        let has_user = authority.as_str().contains('@');
        !has_user && authority.port_u16().unwrap_or(80) == self.port && self.has(authority.host())
    }

    fn has(&self, name: &str) -> bool {
        let literal = name.trim_start_matches('[').trim_end_matches(']');
        match (literal.parse::<IpAddr>(), &self.addresses) {
            (Ok(_), Addresses::Any) => true,
            (Ok(address), Addresses::Some(addresses)) => addresses.contains(&address),
            (Err(_), _) => self.names.iter().any(|own| own.eq_ignore_ascii_case(name)),
        }
    }
}

/// The secret that whoever may use the server knows.
#[derive(Clone)]
pub struct Token(String);

/// An error: the text is no token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "expected a token of at least {} letters, digits, - and _",
    Token::MIN_LENGTH
)]
pub struct TokenError;

impl Token {
    /// The smallest number of characters.
    pub const MIN_LENGTH: usize = 16;

    /// Returns a token.
    ///
    /// # Errors
    ///
    /// When it is shorter than [`MIN_LENGTH`](Self::MIN_LENGTH), or has other characters than letters, digits, `-` and
    /// `_`: it must fit into an address and a cookie.
    pub fn new(text: &str) -> Result<Self, TokenError> {
        let fits = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
        if text.len() < Self::MIN_LENGTH || !text.bytes().all(fits) {
            return Err(TokenError);
        }
        Ok(Self(text.to_owned()))
    }

    /// Returns the text, for whoever started the server.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// Compares in a time that does not depend on where the texts differ.
    fn is(&self, text: &str) -> bool {
        self.0.as_bytes().ct_eq(text.as_bytes()).into()
    }

    /// Returns `true` if a request has the token, as a cookie or as a bearer token.
    fn is_in(&self, headers: &HeaderMap) -> bool {
        let bearer =
            text(headers.get(AUTHORIZATION)).and_then(|value| value.strip_prefix("Bearer "));
        let cookies = headers.get_all(COOKIE).into_iter();
        let mut cookies = cookies
            .filter_map(|value| value.to_str().ok())
            .flat_map(|value| value.split(';'))
            .filter_map(|cookie| cookie.trim().split_once('='));
        bearer.is_some_and(|token| self.is(token))
            || cookies.any(|(name, value)| name == COOKIE_NAME && self.is(value))
    }
}

/// Who may ask.
#[derive(Clone)]
pub(crate) struct Access {
    pub(crate) hosts: Hosts,
    pub(crate) token: Option<Token>,
}

/// Answers requests that may not be carried out with 401 or 403, and takes the token from the address of the page.
pub(crate) async fn check(State(access): State<Access>, request: Request, next: Next) -> Response {
    match access.admit(&request) {
        Ok(Admitted::Asks) => next.run(request).await,
        Ok(Admitted::BringsToken(token)) => keep_token(&token),
        Err(error) => error.into_response(),
    }
}

/// What an admitted request does.
enum Admitted {
    Asks,
    BringsToken(Token),
}

impl Access {
    fn admit(&self, request: &Request) -> Result<Admitted, ApiError> {
        let headers = request.headers();
        let host = text(headers.get(HOST)).filter(|host| self.hosts.allow(host));
        let host = host.ok_or(ApiError::forbidden(
            "expected a Host header with this server's address and port",
        ))?;
        check_origin(headers, host)?;
        check_site(request)?;
        let Some(token) = &self.token else {
            return Ok(Admitted::Asks);
        };
        if token.is_in(headers) {
            return Ok(Admitted::Asks);
        }
        match token_of_address(request) {
            Some(given) if token.is(given) => Ok(Admitted::BringsToken(token.clone())),
            _ => Err(ApiError::unauthorized()),
        }
    }
}

/// A page of another origin names its own.
fn check_origin(headers: &HeaderMap, host: &str) -> Result<(), ApiError> {
    let Some(origin) = headers.get(ORIGIN) else {
        return Ok(());
    };
    let own = ["http://", "https://"].iter().any(|scheme| {
        let rest = text(Some(origin)).and_then(|origin| origin.strip_prefix(scheme));
        rest.is_some_and(|rest| rest.eq_ignore_ascii_case(host))
    });
    if own {
        return Ok(());
    }
    Err(ApiError::forbidden(
        "expected an Origin header that is this server's own, or none",
    ))
}

/// Requests without an Origin, such as those for pictures, tell at least from which site they come. A link from another
/// site may lead to the page, but not to the API.
fn check_site(request: &Request) -> Result<(), ApiError> {
    let site = text(request.headers().get("sec-fetch-site"));
    let is_of_other = matches!(site, Some("cross-site" | "same-site"));
    if is_of_other && request.uri().path().starts_with("/api") {
        return Err(ApiError::forbidden(
            "expected a request of this server's own page",
        ));
    }
    Ok(())
}

/// The token in the address of the page.
fn token_of_address(request: &Request) -> Option<&str> {
    let is_page = request.method() == Method::GET && request.uri().path() == "/";
    let query = request.uri().query().filter(|_| is_page)?;
    query
        .split('&')
        .find_map(|field| field.strip_prefix("token="))
}

/// Keeps the token in a cookie, and takes it out of the address.
fn keep_token(token: &Token) -> Response {
    let cookie = format!(
        "{COOKIE_NAME}={}; Path=/; HttpOnly; SameSite=Strict",
        token.0
    );
    let headers = [
        (LOCATION, HeaderValue::from_static("/")),
        (
            SET_COOKIE,
            HeaderValue::from_str(&cookie).unwrap_or(HeaderValue::from_static("")),
        ),
    ];
    (StatusCode::SEE_OTHER, headers).into_response()
}

fn text(value: Option<&HeaderValue>) -> Option<&str> {
    value?.to_str().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hosts(bound: &str) -> Hosts {
        Hosts::new(bound.parse().unwrap(), [])
    }

    #[test]
    fn a_loopback_server_has_its_names_at_its_port_only() {
        let hosts = hosts("127.0.0.1:4000");
        for own in [
            "127.0.0.1:4000",
            "localhost:4000",
            "LOCALHOST:4000",
            "[::1]:4000",
        ] {
            assert!(hosts.allow(own), "{own}");
        }
        for other in [
            "127.0.0.1",
            "127.0.0.1:4001",
            "127.0.0.2:4000",
            "localhost.example:4000",
            "me@localhost:4000",
            "",
            ":4000",
        ] {
            assert!(!hosts.allow(other), "{other}");
        }
    }

    #[test]
    fn a_server_on_all_addresses_has_any_address_but_no_name() {
        let hosts = hosts("0.0.0.0:80");
        assert!(hosts.allow("192.168.0.7") && hosts.allow("[fe80::1]:80"));
        assert!(!hosts.allow("evil.example"));
    }

    #[test]
    fn tokens_are_long_and_plain() {
        assert!(Token::new("0123456789abcde").is_err());
        assert!(Token::new("0123456789abcde;").is_err());
        let token = Token::new("0123456789abc-_F").unwrap();
        assert!(token.is("0123456789abc-_F") && !token.is("0123456789abc-_f") && !token.is(""));
    }
}
