"""Audio formats: streaming encoders and decoders behind one seam, shared by server, client and command line.

`formats` names what exists, `encoder` makes an encoder, `decoder` reads a format back. PCM in and out is 16-bit mono;
one encoder lives for one spoken turn. Knows nothing of speech, sessions or HTTP.
"""
