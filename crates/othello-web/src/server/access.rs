//! Access control: the checks of Host, Origin and token.
//!
//! Without them, any page in a browser could use a server on the same computer: by a cross-origin request, or through a
//! name of its own that it points to 127.0.0.1 (DNS rebinding).

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use axum::{
    extract::{Request, State},
    http::{
        HeaderMap, HeaderName, HeaderValue, Method, StatusCode,
        header::{AUTHORIZATION, CONTENT_TYPE, COOKIE, HOST, LOCATION, ORIGIN, SET_COOKIE},
        uri::Authority,
    },
    middleware::Next,
    response::{IntoResponse as _, Response},
};
use subtle::ConstantTimeEq as _;

use super::{error::ApiError, scoreboard};

/// The header by which a browser states whether a request comes from a page of the same site.
const SEC_FETCH_SITE: &str = "sec-fetch-site";

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
    /// No page of another site can have an address in place of its name, so any address is allowed as Host.
    Any,
}

impl Hosts {
    /// Returns the hosts of a server that is bound to an address: this one, on a loopback address also `localhost` and
    /// its addresses, and on an unspecified one (`0.0.0.0`) any address, each with its port. `names` are also allowed,
    /// with any port, since a proxy in front of this server may have another.
    ///
    /// # Examples
    ///
    /// ```
    /// use othello_web::Hosts;
    ///
    /// let hosts = Hosts::new("127.0.0.1:8080".parse()?, ["othello.example".into()]);
    /// assert!(hosts.allow("localhost:8080"));
    /// assert!(hosts.allow("othello.example:8080") && hosts.allow("othello.example"));
    /// assert!(!hosts.allow("localhost") && !hosts.allow("other.example:8080"));
    /// # Ok::<(), std::net::AddrParseError>(())
    /// ```
    pub fn new(bound: SocketAddr, names: impl IntoIterator<Item = String>) -> Self {
        let mut addresses = vec![bound.ip()];
        if bound.ip().is_loopback() {
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
            names: names.into_iter().collect(),
        }
    }

    /// Returns `true` if a request may name this host, with its port if that is not 80.
    pub fn allow(&self, host: &str) -> bool {
        self.allow_at(host, 80)
    }

    /// Returns `true` if an Origin belongs to a page on one of the hosts. If any address is allowed, others may have
    /// pages at theirs, so it must equal the host of the request, or be a name.
    fn allow_origin(&self, origin: &str, host: &str) -> bool {
        [("http://", 80), ("https://", 443)]
            .iter()
            .any(|(scheme, port)| {
                let page = origin.strip_prefix(scheme);
                page.is_some_and(|page| {
                    self.allow_at(page, *port)
                        && (self.is_exclusive(page) || page.eq_ignore_ascii_case(host))
                })
            })
    }

    /// Returns `true` if no other computer can have an allowed host.
    fn is_exclusive(&self, host: &str) -> bool {
        let has_name = |authority: Authority| self.has_name(authority.host());
        self.addresses != Addresses::Any || host.parse().is_ok_and(has_name)
    }

    fn allow_at(&self, host: &str, default_port: u16) -> bool {
        let Ok(authority) = host.parse::<Authority>() else {
            return false;
        };
        if authority.as_str().contains('@') {
            return false;
        }
        let (name, port) = (authority.host(), authority.port_u16());
        self.has_name(name) || port.unwrap_or(default_port) == self.port && self.has_address(name)
    }

    fn has_name(&self, name: &str) -> bool {
        self.names.iter().any(|own| own.eq_ignore_ascii_case(name))
    }

    /// Returns `true` for an address of the server, or the name that every computer has for itself.
    fn has_address(&self, name: &str) -> bool {
        let literal = name.trim_start_matches('[').trim_end_matches(']');
        match (literal.parse::<IpAddr>(), &self.addresses) {
            (Ok(_), Addresses::Any) => true,
            (Ok(address), Addresses::Some(addresses)) => addresses.contains(&address),
            (Err(_), Addresses::Any) => name.eq_ignore_ascii_case("localhost"),
            (Err(_), Addresses::Some(addresses)) => {
                let is_loopback = addresses.iter().any(IpAddr::is_loopback);
                is_loopback && name.eq_ignore_ascii_case("localhost")
            }
        }
    }

    /// Returns the name of the cookie with the token. Browsers send a cookie to all ports of a host, so each port has
    /// its own.
    fn cookie_name(&self) -> String {
        format!("othello_token_{}", self.port)
    }
}

/// The secret that permits the use of the server.
#[derive(Clone)]
pub struct Token(String);

/// The error of a text that is not a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "expected a token of at least {} letters, digits, - and _",
    Token::MIN_LENGTH
)]
pub struct TokenError;

impl Token {
    /// The minimum number of characters.
    pub const MIN_LENGTH: usize = 16;

    /// Returns a token.
    ///
    /// # Errors
    ///
    /// Fails if it is shorter than [`MIN_LENGTH`](Self::MIN_LENGTH), or has characters other than letters, digits, `-`
    /// and `_`: it must fit into an address and a cookie.
    pub fn new(text: &str) -> Result<Self, TokenError> {
        let fits = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
        if text.len() < Self::MIN_LENGTH || !text.bytes().all(fits) {
            return Err(TokenError);
        }
        Ok(Self(text.to_owned()))
    }

    /// Returns the text, for the person who started the server.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// Compares texts in a time independent of where they differ.
    pub(crate) fn is(&self, text: &str) -> bool {
        self.0.as_bytes().ct_eq(text.as_bytes()).into()
    }

    /// Returns `true` if a request has the token, in this cookie or as a bearer token.
    fn is_in(&self, headers: &HeaderMap, cookie_name: &str) -> bool {
        let bearer = text(headers.get(AUTHORIZATION)).and_then(|value| {
            // The name of a scheme is read in either case.
            let (scheme, token) = value.split_once(' ')?;
            scheme
                .eq_ignore_ascii_case("Bearer")
                .then(|| token.trim_start_matches(' '))
        });
        let cookies = headers.get_all(COOKIE).into_iter();
        let mut cookies = cookies
            .filter_map(|value| value.to_str().ok())
            .flat_map(|value| value.split(';'))
            .filter_map(|cookie| cookie.trim().split_once('='));
        bearer.is_some_and(|token| self.is(token))
            || cookies.any(|(name, value)| name == cookie_name && self.is(value))
    }
}

/// The access control of a server.
#[derive(Clone)]
pub(crate) struct Access {
    pub(crate) hosts: Hosts,
    pub(crate) token: Option<Token>,
}

/// Answers forbidden requests with 401 or 403, and takes the token from the address of the page.
pub(crate) async fn check(State(access): State<Access>, request: Request, next: Next) -> Response {
    match access.admit(&request) {
        Ok(Admitted::Asks) => next.run(request).await,
        Ok(Admitted::BringsToken(token, page)) => {
            keep_token(&access.hosts.cookie_name(), &token, page)
        }
        Err(error) => error.into_response(),
    }
}

/// The action of an admitted request.
enum Admitted {
    Asks,
    /// The address of this page has the token.
    BringsToken(Token, &'static str),
}

impl Access {
    fn admit(&self, request: &Request) -> Result<Admitted, ApiError> {
        let headers = request.headers();
        check_unrepeated(headers)?;
        let host = text(headers.get(HOST)).filter(|host| self.hosts.allow(host));
        let host = host.ok_or_else(|| {
            ApiError::forbidden("expected a Host header with this server's address and port")
        })?;
        self.check_target(request)?;
        self.check_origin(headers.get(ORIGIN), host)?;
        check_site(request)?;
        let Some(token) = &self.token else {
            return Ok(Admitted::Asks);
        };
        // Even if the browser has the cookie already, so that the token does not stay in the address.
        if let Some((page, given)) = token_of_address(request)
            && token.is(given)
        {
            return Ok(Admitted::BringsToken(token.clone(), page));
        }
        if token.is_in(headers, &self.hosts.cookie_name()) {
            return Ok(Admitted::Asks);
        }
        Err(ApiError::unauthorized())
    }

    /// A target in absolute form also names a host, which overrides the header.
    fn check_target(&self, request: &Request) -> Result<(), ApiError> {
        let authority = request.uri().authority();
        if authority.is_none_or(|host| self.hosts.allow(host.as_str())) {
            return Ok(());
        }
        Err(ApiError::forbidden(
            "expected a target with this server's address and port, or without a host",
        ))
    }

    /// A page of another origin names its own.
    fn check_origin(&self, origin: Option<&HeaderValue>, host: &str) -> Result<(), ApiError> {
        let is_own =
            |origin| text(Some(origin)).is_some_and(|text| self.hosts.allow_origin(text, host));
        if origin.is_none_or(is_own) {
            return Ok(());
        }
        Err(ApiError::forbidden(
            "expected an Origin header that is this server's own, or none",
        ))
    }
}

/// Rejects repeated headers about the sender and the target: a proxy in front of this server may use another of them.
fn check_unrepeated(headers: &HeaderMap) -> Result<(), ApiError> {
    let names = [
        HOST,
        ORIGIN,
        AUTHORIZATION,
        CONTENT_TYPE,
        HeaderName::from_static(SEC_FETCH_SITE),
    ];
    let repeated = |name: &&HeaderName| headers.get_all(*name).iter().nth(1).is_some();
    match names.iter().find(repeated) {
        Some(name) => Err(ApiError::bad(format!(
            "{name}: expected this header once, found it again"
        ))),
        None => Ok(()),
    }
}

/// Requests without an Origin, such as those for pictures, still state the site that they come from. A link from
/// another site may lead to the page, but not to the API.
fn check_site(request: &Request) -> Result<(), ApiError> {
    let site = text(request.headers().get(SEC_FETCH_SITE));
    let is_of_other = matches!(site, Some("cross-site" | "same-site"));
    if is_of_other && request.uri().path().starts_with("/api") {
        return Err(ApiError::forbidden(
            "expected a request of this server's own page",
        ));
    }
    Ok(())
}

/// Returns the token in the address of a page, with the page's path.
fn token_of_address(request: &Request) -> Option<(&'static str, &str)> {
    let is_get = request.method() == Method::GET;
    let path = request.uri().path();
    let page = ["/", scoreboard::PATH]
        .into_iter()
        .find(|page| *page == path);
    let query = request.uri().query().filter(|_| is_get)?;
    let mut fields = query.split('&');
    let token = fields.find_map(|field| field.strip_prefix("token="))?;
    Some((page?, token))
}

/// Stores the token in a cookie, and takes it out of the address of a page.
fn keep_token(cookie_name: &str, token: &Token, page: &'static str) -> Response {
    let cookie = format!(
        "{cookie_name}={}; Path=/; HttpOnly; SameSite=Strict",
        token.0
    );
    let headers = [
        (LOCATION, HeaderValue::from_static(page)),
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
    use axum::body::Body;

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
    fn a_server_on_all_addresses_has_any_address_but_no_name_except_localhost() {
        let hosts = hosts("0.0.0.0:80");
        assert!(hosts.allow("localhost") && !hosts.allow("localhost:81"));
        assert!(hosts.allow("192.168.0.7") && hosts.allow("[fe80::1]:80"));
        assert!(!hosts.allow("evil.example"));
    }

    #[test]
    fn a_page_at_another_address_is_of_another_origin_where_any_address_is_allowed() {
        let bound = "0.0.0.0:8080".parse().unwrap();
        let hosts = Hosts::new(bound, ["othello.example".into()]);
        let host = "192.168.0.7:8080";
        for own in ["http://192.168.0.7:8080", "https://othello.example"] {
            assert!(hosts.allow_origin(own, host), "{own}");
        }
        for other in [
            "http://192.168.0.8:8080",
            "http://localhost:8080",
            "https://192.168.0.7:8081",
            "http://evil.example:8080",
        ] {
            assert!(!hosts.allow_origin(other, host), "{other}");
        }
    }

    #[test]
    fn a_name_has_any_port_behind_a_server_with_tls() {
        let bound = "192.168.0.7:8080".parse().unwrap();
        let hosts = Hosts::new(bound, ["othello.example".into()]);
        for own in ["othello.example", "Othello.example:443", "192.168.0.7:8080"] {
            assert!(hosts.allow(own), "{own}");
        }
        assert!(!hosts.allow("192.168.0.7") && !hosts.allow("localhost:8080"));
        for own in [
            "https://othello.example",
            "http://othello.example:8080",
            "http://192.168.0.7:8080",
        ] {
            assert!(hosts.allow_origin(own, "192.168.0.7:8080"), "{own}");
        }
        for other in [
            "https://192.168.0.7",
            "https://othello.example.evil",
            "ftp://othello.example",
            "othello.example",
            "https://",
            "null",
        ] {
            assert!(!hosts.allow_origin(other, "192.168.0.7:8080"), "{other}");
        }
    }

    fn admit(target: &str, headers: &[(&str, &str)]) -> StatusCode {
        let access = Access {
            hosts: hosts("127.0.0.1:4000"),
            token: Token::new("0123456789abcdef").ok(),
        };
        let mut request = axum::http::Request::get(target);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        match access.admit(&request.body(Body::empty()).unwrap()) {
            Ok(_) => StatusCode::OK,
            Err(error) => error.into_response().status(),
        }
    }

    #[test]
    fn the_address_of_a_page_may_have_the_token() {
        for (target, expected) in [
            ("/scoreboard?token=0123456789abcdef", StatusCode::OK),
            (
                "/scoreboard.csv?token=0123456789abcdef",
                StatusCode::UNAUTHORIZED,
            ),
            ("/scoreboard", StatusCode::UNAUTHORIZED),
        ] {
            assert_eq!(
                admit(target, &[("host", "localhost:4000")]),
                expected,
                "{target}"
            );
        }
    }

    #[test]
    fn a_header_that_says_who_asks_stands_once() {
        let own = ("host", "localhost:4000");
        let bearer = ("authorization", "Bearer 0123456789abcdef");
        assert_eq!(admit("/", &[own, bearer]), StatusCode::OK);
        for repeated in [
            own,
            bearer,
            ("origin", "http://localhost:4000"),
            ("sec-fetch-site", "same-origin"),
            ("content-type", "text/plain"),
        ] {
            let headers = [own, bearer, repeated, repeated];
            assert_eq!(
                admit("/", &headers),
                StatusCode::BAD_REQUEST,
                "{repeated:?}"
            );
        }
        let two = [own, ("host", "evil.example"), bearer];
        assert_eq!(admit("/", &two), StatusCode::BAD_REQUEST);
        assert_eq!(admit("/", &[bearer]), StatusCode::FORBIDDEN);
    }

    #[test]
    fn a_target_may_name_this_server_alone() {
        let headers = [
            ("host", "localhost:4000"),
            ("authorization", "Bearer 0123456789abcdef"),
        ];
        assert_eq!(admit("http://127.0.0.1:4000/", &headers), StatusCode::OK);
        let evil = admit("http://evil.example/", &headers);
        assert_eq!(evil, StatusCode::FORBIDDEN);
    }

    #[test]
    fn the_scheme_of_a_token_is_read_in_either_case() {
        for (scheme, status) in [
            ("Bearer ", StatusCode::OK),
            ("bearer ", StatusCode::OK),
            ("BEARER   ", StatusCode::OK),
            ("Bearer", StatusCode::UNAUTHORIZED),
            ("Basic ", StatusCode::UNAUTHORIZED),
        ] {
            let value = format!("{scheme}0123456789abcdef");
            let headers = [("host", "localhost:4000"), ("authorization", &value)];
            assert_eq!(admit("/", &headers), status, "{scheme:?}");
        }
    }

    #[test]
    fn tokens_are_long_and_plain() {
        assert!(Token::new("0123456789abcde").is_err());
        assert!(Token::new("0123456789abcde;").is_err());
        let token = Token::new("0123456789abc-_F").unwrap();
        assert!(token.is("0123456789abc-_F") && !token.is("0123456789abc-_f") && !token.is(""));
    }
}
