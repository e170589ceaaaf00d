"""The speech server: an ASGI shell around `firstword.speech`.

    serving        what all routes share: settings, the voice as it loads, sessions, the drain
    app            the routes
    ping           health, metrics
    posts          POST a text, get its audio streamed back; in two dialects:
    invocations      POST /invocations
    openai           POST /v1/audio/speech, and OpenAI's lists of models and voices
    bidirectional  the WebSocket session
    admission      who may come in
    listening      the process: socket, signals, `listening on …`

It decides nothing about speech or the protocol's rules; those stand in `speech` and `protocol`.
"""
