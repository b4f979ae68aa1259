# Prints which tool a server in Python would call for each body: a line of Base64 in, a line of JSON out.
import base64
import json
import sys

for line in sys.stdin:
    try:
        message = json.loads(base64.b64decode(line))
        print(json.dumps(message["params"]["name"]))
    except Exception:
        print("null")
