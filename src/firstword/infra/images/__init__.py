"""What the two images are built from: Dockerfiles, and the context laid out beside them.

A context is this installation's own source, the hash-locked requirements and a Dockerfile; nothing is fetched to make
one, and its fingerprint names the image. Knows no builder.
"""
