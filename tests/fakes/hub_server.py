"""A model hub on loopback: as much of its HTTP interface as its client uses to read one repository."""

import hashlib
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

__all__ = ["hub_serving"]

_COMMIT = "0123456789abcdef0123456789abcdef01234567"


@contextmanager
def hub_serving(repo: str, contents: dict[str, bytes]) -> Iterator[str]:
    """The URL of a hub that holds `contents` in one repository; anything else there is a 404."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            self._answer(body=True)

        def do_HEAD(self) -> None:
            self._answer(body=False)

        def _answer(self, *, body: bool) -> None:
            path = self.path.split("?")[0]
            name = path.removeprefix(f"/{repo}/resolve/{_COMMIT}/")
            if path == f"/api/models/{repo}/revision/main":
                data, headers = json.dumps(_listing(repo, contents)).encode(), {"Content-Type": "application/json"}
            elif name in contents:
                data = contents[name]
                digest = hashlib.sha256(data).hexdigest()
                headers = {"ETag": f'"{digest}"', "X-Repo-Commit": _COMMIT, "X-Linked-Size": str(len(data))}
            else:
                data, headers = b"", {"X-Error-Code": "EntryNotFound"}
            self.send_response(200 if data else 404)
            for key, value in {**headers, "Content-Length": str(len(data))}.items():
                self.send_header(key, value)
            self.end_headers()
            if body:
                self.wfile.write(data)

        def log_message(self, format: str, *args: object) -> None:
            """Tests do not read an access log."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join(timeout=5)


def _listing(repo: str, contents: dict[str, bytes]) -> dict[str, object]:
    files = [
        {
            "rfilename": name,
            "size": len(data),
            "blobId": "0" * 40,
            "lfs": {"sha256": hashlib.sha256(data).hexdigest(), "size": len(data), "pointerSize": 130},
        }
        for name, data in contents.items()
    ]
    return {"id": repo, "sha": _COMMIT, "siblings": files, "tags": [], "private": False, "downloads": 0, "likes": 0}
