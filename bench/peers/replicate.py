"""A tile repeated into a sheet and encoded as a PNG, in OpenCV, one thread.

Reads one JSON command a line from standard input and answers each with one JSON line:

    {"load": {...}}     reads the tile; answers {"versions": {...}}
    {"run": "OpenCV"}   writes the sheet's PNG; answers {"ms": ...}, measured here
"""

import json
import sys
import time

import cv2
import numpy as np

cv2.setNumThreads(1)


def main():
    tile = None
    repeats = 1
    to = None
    for line in sys.stdin:
        command = json.loads(line)
        if "load" in command:
            fields = command["load"]
            rgb = np.fromfile(fields["path"], np.uint8).reshape(fields["size"], fields["size"], 3)
            # Its order of channels is the other one.
            tile = np.ascontiguousarray(rgb[:, :, ::-1])
            repeats = fields["repeats"]
            to = fields["to"]
            answer = {"versions": {"opencv": cv2.__version__, "numpy": np.__version__}}
        else:
            start = time.perf_counter()
            sheet = np.tile(tile, (repeats, repeats, 1))
            cv2.imwrite(to, sheet, [cv2.IMWRITE_PNG_COMPRESSION, 6])
            answer = {"ms": (time.perf_counter() - start) * 1000}
        print(json.dumps(answer), flush=True)


main()
