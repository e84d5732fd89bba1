"""Peers for the p4m tile, in numpy and OpenCV, one thread.

All evaluate the engine design's formula f(x) = sum w(g x) I(M (g x - c)) / sum w(g x) over the eight
elements g of p4m modulo translations, w being 1 on the Dirichlet cell of c and 0 elsewhere:

    numpy               each element sampled for every pixel by fancy indexing, weighted, summed
    OpenCV + numpy      the same, sampled by cv2.remap
    OpenCV, folded      what somebody who knows that only one element weighs anything would write:
                        pick that element first, then one cv2.remap

Reads one JSON command a line from standard input and answers each with one JSON line:

    {"load": {...}}              reads the source; answers {"versions": {...}}
    {"run": NAME, "runs": N}     makes a tile N times and keeps it; answers {"ms": ...} of the last, measured here
    {"save": NAME, "to": PATH}   writes NAME's last tile as RGB bytes; answers {}
"""

import json
import sys
import time

import cv2
import numpy as np

cv2.setNumThreads(1)

# Light is looked up by its square root, which is close to even in sRGB.
LEVELS = 65536
ROOTS = np.linspace(0, 1, LEVELS) ** 2
SRGB = np.where(ROOTS <= 0.0031308, 12.92 * ROOTS, 1.055 * ROOTS ** (1 / 2.4) - 0.055)
TO_BYTE = np.rint(SRGB * 255).astype(np.uint8)


def load(fields):
    source = np.fromfile(fields["path"], np.float32)
    return {
        "source": source.reshape(fields["height"], fields["width"], 3),
        "size": fields["size"],
        "elements": fields["elements"],
        "centre": fields["centre"],
        "to_source": fields["to_source"],
    }


def images(task):
    """Where each element takes every pixel: nearest copy relative to c, and distance squared."""
    ends = (np.arange(task["size"], dtype=np.float32) + np.float32(0.5)) / np.float32(task["size"])
    x, y = np.meshgrid(ends, ends)
    for a, b, c, d, e, f in np.asarray(task["elements"], np.float32):
        gx = a * x + b * y + (e - np.float32(task["centre"][0]))
        gy = c * x + d * y + (f - np.float32(task["centre"][1]))
        gx -= np.rint(gx)
        gy -= np.rint(gy)
        yield gx, gy, gx * gx + gy * gy


def in_source(task, gx, gy):
    a, b, c, d, e, f = np.asarray(task["to_source"], np.float32)
    return a * gx + b * gy + e, c * gx + d * gy + f


def remap(source, sx, sy):
    return cv2.remap(source, sx, sy, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)


def bilinear(source, sx, sy):
    height, width = source.shape[:2]
    sx = np.clip(sx, 0, width - 1)
    sy = np.clip(sy, 0, height - 1)
    x0 = sx.astype(np.int32)
    y0 = sy.astype(np.int32)
    x1 = np.minimum(x0 + 1, width - 1)
    y1 = np.minimum(y0 + 1, height - 1)
    fx = (sx - x0)[..., None]
    fy = (sy - y0)[..., None]
    top = source[y0, x0] * (1 - fx) + source[y0, x1] * fx
    bottom = source[y1, x0] * (1 - fx) + source[y1, x1] * fx
    return top * (1 - fy) + bottom * fy


def to_bytes(light):
    roots = np.sqrt(np.clip(light, 0, 1))
    return TO_BYTE[(roots * np.float32(LEVELS - 1) + np.float32(0.5)).astype(np.uint16)]


def whole_orbit(task, sample):
    found = list(images(task))
    least = found[0][2]
    for _, _, distance in found[1:]:
        least = np.minimum(least, distance)
    light = np.zeros((task["size"], task["size"], 3), np.float32)
    total = np.zeros((task["size"], task["size"]), np.float32)
    for gx, gy, distance in found:
        weight = (distance <= least).astype(np.float32)
        light += weight[..., None] * sample(task["source"], *in_source(task, gx, gy))
        total += weight
    return to_bytes(light / total[..., None])


def folded(task):
    best = None
    for gx, gy, distance in images(task):
        if best is None:
            best = [gx, gy, distance]
            continue
        nearer = distance < best[2]
        for kept, new in zip(best, (gx, gy, distance)):
            np.copyto(kept, new, where=nearer)
    return to_bytes(remap(task["source"], *in_source(task, best[0], best[1])))


PEERS = {
    "numpy": lambda task: whole_orbit(task, bilinear),
    "OpenCV + numpy": lambda task: whole_orbit(task, remap),
    "OpenCV, folded": folded,
}


def main():
    task = None
    tiles = {}
    for line in sys.stdin:
        command = json.loads(line)
        if "load" in command:
            task = load(command["load"])
            answer = {"versions": {"opencv": cv2.__version__, "numpy": np.__version__}}
        elif "run" in command:
            for _ in range(command["runs"]):
                start = time.perf_counter()
                tile = PEERS[command["run"]](task)
            answer = {"ms": (time.perf_counter() - start) * 1000}
            tiles[command["run"]] = tile
        else:
            tiles[command["save"]].tofile(command["to"])
            answer = {}
        print(json.dumps(answer), flush=True)


main()
