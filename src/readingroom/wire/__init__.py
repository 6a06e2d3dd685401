"""Bytes to JSON-RPC messages and back: framing, strict JSON, classification, error codes. Pure, and knows no MCP."""

from .codes import (
    HEADER_MISMATCH,
    HTTP_STATUS,
    INTERNAL_ERROR,
    INVALID_PARAMS,
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    MISSING_CAPABILITY,
    PARSE_ERROR,
    UNSUPPORTED_VERSION,
)
from .ids import RequestId, encode_id, is_request_id, readable_id
from .lines import LineReader, OverLong
from .messages import (
    Fault,
    Message,
    Notification,
    Request,
    Response,
    classify,
    encode_error,
    encode_notification,
)
from .strict_json import Json, Malformed, TooDeep, decode, encode, encode_value, is_deeper

__all__ = [
    "HEADER_MISMATCH",
    "HTTP_STATUS",
    "INTERNAL_ERROR",
    "INVALID_PARAMS",
    "INVALID_REQUEST",
    "METHOD_NOT_FOUND",
    "MISSING_CAPABILITY",
    "PARSE_ERROR",
    "UNSUPPORTED_VERSION",
    "Fault",
    "Json",
    "LineReader",
    "Malformed",
    "Message",
    "Notification",
    "OverLong",
    "Request",
    "RequestId",
    "Response",
    "TooDeep",
    "classify",
    "decode",
    "encode",
    "encode_error",
    "encode_id",
    "encode_notification",
    "encode_value",
    "is_deeper",
    "is_request_id",
    "readable_id",
]
