"""Speech on demand: text in, a bounded and cancellable stream of sentences, timings and audio out.

    service     what a server holds: one voice, its scheduler, its listeners
    listener    one reader of audio: its utterances in order, and the moment it runs dry
    utterance   one request: text in, items out
    script      text -> sentences -> speakable words -> pieces, with offsets into the request's own text
    measured    the voice, and how fast it is
    scheduler   whose step is next, and the threads the steps run in

It knows nothing of sockets, messages or HTTP; below it stand the voice, the text and `config`.
"""
