"""What a request is about: the parameters that decide what it does; answers for one are not used for another (MRTR-12).

Spelling does not count: spaces and the order of members may change on the way from round to round. Values do, numbers to
their last digit.
"""

import msgspec

from ..errors import InvalidParams
from .params import CallParams, Params, PromptParams, ReadParams


def salient(params: Params) -> tuple[str, str]:
    """Give the name or the URI, and a digest of the arguments.

    Raises: InvalidParams for arguments with a number that nothing can hold.
    """
    if isinstance(params, ReadParams):
        return params.uri, ""
    if isinstance(params, PromptParams):
        return params.name, _digest(msgspec.json.encode(params.arguments or {}))
    if isinstance(params, CallParams):
        return params.name, _digest(
            b"{}" if isinstance(params.arguments, msgspec.UnsetType) else params.arguments
        )
    raise TypeError("requests of this method are in no rounds")


def _digest(text: bytes | msgspec.Raw) -> str:
    import hashlib
    from decimal import Decimal

    try:
        value = msgspec.json.Decoder(float_hook=Decimal).decode(text)
    except (msgspec.DecodeError, ArithmeticError) as error:
        raise InvalidParams(f"arguments: {error}") from error
    encoder = msgspec.json.Encoder(decimal_format="number", order="deterministic")
    return hashlib.sha256(encoder.encode(value)).hexdigest()
