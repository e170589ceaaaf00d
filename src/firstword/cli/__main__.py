"""`python -m firstword.cli`: the `firstword` command where its script is not on the path."""

from firstword.cli.main import run

if __name__ == "__main__":
    run()
