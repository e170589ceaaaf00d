"""A certificate authority for one run: a key and a certificate for this machine, and a bundle that trusts it.

The bundle also holds the authorities that the system trusts, because SDKs take it in place of their own.
"""

import ipaddress
import ssl
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import certifi
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

__all__ = ["Certificate", "make_certificate"]

_LIFE = timedelta(days=30)


@dataclass(frozen=True, kw_only=True)
class Certificate:
    """Files: the server's chain with its key, and the bundle for callers."""

    chain: Path
    bundle: Path

    def server_context(self) -> ssl.SSLContext:
        """TLS as AWS's front end speaks it: HTTP/2 by ALPN and nothing else."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        context.load_cert_chain(self.chain)
        context.set_alpn_protocols(["h2"])
        return context


def make_certificate(folder: Path, hosts: Iterable[str]) -> Certificate:
    """A fresh authority and a certificate for `hosts` (names and addresses), written to `folder`."""
    authority_key, key = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
    name = _name("firstword emulator CA")
    authority = (
        _builder(name, name, authority_key)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(authority_key.public_key()), critical=False)
        .sign(authority_key, hashes.SHA256())
    )
    leaf = (
        _builder(_name("firstword emulator"), name, key)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.SubjectAlternativeName([_host(host) for host in hosts]), critical=False)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(authority_key.public_key()), critical=False)
        .sign(authority_key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    private = key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    chain, bundle = folder / "server.pem", folder / "ca-bundle.pem"
    chain.touch(mode=0o600)
    chain.write_bytes(leaf.public_bytes(pem) + private)
    bundle.write_bytes(authority.public_bytes(pem) + _trusted())
    return Certificate(chain=chain, bundle=bundle)


def _builder(subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePrivateKey) -> x509.CertificateBuilder:
    now = datetime.now(UTC)
    return (
        x509.CertificateBuilder(subject_name=subject, issuer_name=issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(hours=1))
        .not_valid_after(now + _LIFE)
    )


def _name(common: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, common)])


def _host(host: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(host))
    except ValueError:
        return x509.DNSName(host)


def _trusted() -> bytes:
    """The system's authorities; where Python cannot tell where they are, those of certifi."""
    system = ssl.get_default_verify_paths().cafile
    return b"\n" + Path(system or certifi.where()).read_bytes()
