"""The hands of infra: within it the only caller of the CDK's command line, of AWS and of image builders.

`cloud` opens an account; `cdk` runs the command line; `stacks`, `endpoints`, `weights`, `leftovers`, `prices` each
know one service; `builders` make images. Everything a person should know of an AWS failure is said here, on one line.
"""
