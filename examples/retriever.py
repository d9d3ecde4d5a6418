"""retriever/1 for a Python program: kerf's requests in, an engine's replies out.

serve(hello, index, search, drop) answers with functions that take a request and
give a reply, both as docs/format/retriever.md has them. Copy this file.
"""

import gc
import json
import sys


def serve(*functions):
    answer = {function.__name__: function for function in functions}
    answer["bye"] = lambda request: {}
    replies, sys.stdout = sys.stdout, sys.stderr  # what a library prints is no reply
    for line in sys.stdin.buffer:
        request = json.loads(line)
        about = {"op": request["op"], "seq": request["seq"]}
        try:
            reply = about | answer[request["op"]](request)
        except Exception as problem:  # an error is an answer, never an empty list of hits
            reply = about | {"error": f"{type(problem).__name__}: {problem}"}
        print(json.dumps(reply), file=replies, flush=True)
        if request["op"] == "bye":
            gc.freeze()  # spares Python a last walk over all that was loaded, which takes seconds
            return
