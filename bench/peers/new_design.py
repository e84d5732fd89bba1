"""Peers for a new design of a photograph, in OpenCV and numpy: tile to PNG bytes.

    OpenCV            what somebody would write who serves many designs: the map of each group is made
                      once; a design costs an area prefilter of the sampled part to the tile's scale, one
                      cv2.remap, the neighbours mixed into the seams, and the PNG
    OpenCV + numpy    p4m only: the formula as it is written, all eight elements sampled for every pixel
                      by cv2.remap and summed with their weights, after the same prefilter, and the PNG

Both compute in encoded 8-bit values. Reads one JSON command a line from standard input and answers each
with one JSON line:

    {"open": PATH}                        decodes the photograph; answers {"ms": ...} and the versions
    {"map": {...}}                        reads the map of a group; answers {}
    {"run": NAME, "group": ..., ...}      makes a tile and keeps its PNG; answers {"ms": ...} for both
    {"pixels": NAME, "group": ..., ...}   makes a tile only; answers {"ms": ...}
    {"threads": N}                        has OpenCV use N threads from now on; answers {}
    {"save": PATH}                        writes the last PNG; answers {}
"""

import json
import sys
import time

import cv2
import numpy as np

# cv2.remap takes fewer than 32768 rows and columns.
ROW = 1024


def load_map(fields):
    """Positions of a group's pixels in its domain; the neighbours of those in seams."""
    size = fields["size"]
    base = np.fromfile(fields["base"], np.float32).reshape(size, size, 2)
    layers = []
    for layer in fields["layers"]:
        index = np.fromfile(layer["index"], np.int32)
        weight = np.fromfile(layer["weight"], np.float32)
        points = base.reshape(-1, 2)[index]
        padded = np.zeros((-(-len(index) // ROW) * ROW, 2), np.float32)
        padded[: len(index)] = transform(points[None], layer["element"])[0]
        layers.append((index, weight[:, None], padded.reshape(-1, ROW, 2)))
    indices = [index for index, _, _ in layers]
    seam = np.unique(np.concatenate(indices)) if indices else np.empty(0, np.int32)
    total = np.ones((len(seam), 1), np.float32)
    places = [np.searchsorted(seam, index) for index in indices]
    for place, (_, weight, _) in zip(places, layers):
        total[place] += weight
    shares = [(place, weight, points) for place, (_, weight, points) in zip(places, layers)]
    found = {"base": base, "box": fields["box"], "seam": seam, "total": total, "layers": shares}
    found["orbit"] = orbit(fields) if fields["group"] == "p4m" else None
    return found


def orbit(fields):
    """Where each element takes every pixel, relative to the domain's centre, and its weight."""
    ends = (np.arange(fields["size"], dtype=np.float32) + np.float32(0.5)) / fields["size"]
    x, y = np.meshgrid(ends, ends)
    found = []
    for a, b, c, d, e, f in fields["elements"]:
        gx = a * x + b * y + (e - fields["centre"][0])
        gy = c * x + d * y + (f - fields["centre"][1])
        gx -= np.rint(gx)
        gy -= np.rint(gy)
        found.append((np.dstack([gx, gy]).astype(np.float32), gx * gx + gy * gy))
    least = np.minimum.reduce([distance for _, distance in found])
    return [(points, (distance <= least).astype(np.float32)[..., None]) for points, distance in found]


def transform(points, matrix):
    a, b, c, d, e, f = matrix
    return cv2.transform(points, np.array([[a, b, e], [c, d, f]], np.float32))


def prefiltered(photograph, box, to_source, per_pixel):
    """The sampled part of the photograph at the tile's scale, and the map to its pixels."""
    height, width = photograph.shape[:2]
    corners = transform(np.float32([box]), to_source)[0]
    margin = 2 * per_pixel + 2
    x0, y0 = np.maximum(np.floor(corners.min(0) - margin), 0).astype(int)
    x1, y1 = np.minimum(np.ceil(corners.max(0) + margin), [width, height]).astype(int)
    part = photograph[y0:y1, x0:x1]
    step = max(1.0, per_pixel)
    if step > 1:
        size = (max(1, round((x1 - x0) / step)), max(1, round((y1 - y0) / step)))
        part = cv2.resize(part, size, interpolation=cv2.INTER_AREA)
    across = part.shape[1] / (x1 - x0)
    down = part.shape[0] / (y1 - y0)
    a, b, c, d, e, f = to_source
    moved = [a * across, b * across, c * down, d * down]
    return part, [*moved, (e - x0) * across - 0.5, (f - y0) * down - 0.5]


def sample(part, points, matrix):
    where = transform(points, matrix)
    return cv2.remap(part, where, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT_101)


def by_map(photograph, group, to_source, per_pixel):
    part, matrix = prefiltered(photograph, group["box"], to_source, per_pixel)
    tile = sample(part, group["base"], matrix)
    flat = tile.reshape(-1, 3)
    mixed = flat[group["seam"]].astype(np.float32)
    for place, weight, points in group["layers"]:
        colours = sample(part, points, matrix).reshape(-1, 3)[: len(place)]
        mixed[place] += weight * colours
    if len(mixed) > 0:
        flat[group["seam"]] = (mixed / group["total"] + 0.5).astype(np.uint8)
    return tile


def whole_orbit(photograph, group, to_source, per_pixel):
    part, matrix = prefiltered(photograph, group["box"], to_source, per_pixel)
    colours = 0
    total = 0
    for points, weight in group["orbit"]:
        colours = colours + weight * sample(part, points, matrix)
        total = total + weight
    return (colours / total + 0.5).astype(np.uint8)


PEERS = {"OpenCV": by_map, "OpenCV + numpy": whole_orbit}


def main():
    photograph = None
    groups = {}
    file = None

    def draw(name, command):
        group = groups[command["group"]]
        return PEERS[name](photograph, group, command["to_source"], command["per_pixel"])

    for line in sys.stdin:
        command = json.loads(line)
        start = time.perf_counter()
        answer = {}
        if "open" in command:
            photograph = cv2.imread(command["open"], cv2.IMREAD_COLOR)
            answer = {"versions": {"opencv": cv2.__version__, "numpy": np.__version__}}
        elif "map" in command:
            groups[command["map"]["group"]] = load_map(command["map"])
        elif "pixels" in command:
            draw(command["pixels"], command)
        elif "run" in command:
            _, file = cv2.imencode(".png", draw(command["run"], command))
        elif "threads" in command:
            cv2.setNumThreads(command["threads"])
        else:
            file.tofile(command["save"])
        answer["ms"] = (time.perf_counter() - start) * 1000
        print(json.dumps(answer), flush=True)


main()
