"""Where the metadata of an authorization server stands (RFC 8414 §3, OpenID Connect Discovery §4; CL-4).

Pure. The issuer is a text here as everywhere: a parser of URLs would write it anew, and it is compared byte for byte.
"""


def metadata_urls(issuer: str) -> list[str]:
    """Give where the metadata of an issuer may stand, in the order to look."""
    scheme, _, rest = issuer.partition("://")
    host, _, path = rest.partition("/")
    path = f"/{path}".rstrip("/")
    known = f"{scheme}://{host}/.well-known"
    urls = [f"{known}/oauth-authorization-server{path}", f"{known}/openid-configuration{path}"]
    return [*urls, f"{scheme}://{host}{path}/.well-known/openid-configuration"] if path else urls
