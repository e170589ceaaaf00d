"""The speech server: an ASGI shell around `firstword.speech`.

    serving        what all routes share: settings, the voice as it loads, sessions, the drain
    app            the routes
    ping           health, metrics
    invocations    POST /invocations: one text in, audio streamed back
    bidirectional  the WebSocket session
    admission      who may come in
    listening      the process: socket, signals, `listening on …`

It decides nothing about speech or the protocol's rules; those stand in `speech` and `protocol`.
"""
