"""HTTP as the emulator serves it: one seam, `exchange`, and two implementations, `http1` and `http2`.

Own servers, because the faults that AWS and the network produce (a stream reset before its headers, a connection cut
in mid-message, data that arrives after the answer ended) cannot be made, or survived, through an ASGI server.
Knows nothing of AWS. Services and `faults` stand above.
"""
