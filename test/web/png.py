"""Reads the PNG files that browsers write: 8 bits, RGB or RGBA, not interlaced."""

import struct
import zlib


def read(path):
    """width, height, and rows of bytes with `step` bytes per pixel: (width, height, step, rows)."""
    with open(path, 'rb') as file:
        data = file.read()
    if data[:8] != b'\x89PNG\r\n\x1a\n':
        raise ValueError('not a PNG')
    at, packed, header = 8, b'', None
    while at < len(data):
        length, kind = struct.unpack('>I4s', data[at:at + 8])
        body = data[at + 8:at + 8 + length]
        if zlib.crc32(kind + body) != struct.unpack('>I', data[at + 8 + length:at + 12 + length])[0]:
            raise ValueError('a chunk is damaged')
        if kind == b'IHDR':
            header = struct.unpack('>IIBBBBB', body)
        elif kind == b'IDAT':
            packed += body
        at += 12 + length
    width, height, depth, colour, _, _, interlaced = header
    if depth != 8 or colour not in (2, 6) or interlaced:
        raise ValueError('another kind of PNG')
    step = 3 if colour == 2 else 4
    return width, height, step, list(unfilter(zlib.decompress(packed), width * step, height, step))


def unfilter(raw, stride, height, step):
    above = bytearray(stride)
    for y in range(height):
        start = y * (stride + 1)
        kind, row = raw[start], bytearray(raw[start + 1:start + 1 + stride])
        for x in range(stride):
            left = row[x - step] if x >= step else 0
            corner = above[x - step] if x >= step else 0
            row[x] = (row[x] + predict(kind, left, above[x], corner)) & 255
        yield bytes(row)
        above = row


def predict(kind, left, up, corner):
    if kind == 4:
        p = left + up - corner
        return min((left, up, corner), key=lambda c: abs(p - c))
    return (0, left, up, (left + up) // 2)[kind]


def colours(rows, step, limit=100000):
    """Different colours in a picture."""
    found = set()
    for row in rows:
        for x in range(0, len(row), step):
            found.add(row[x:x + 3])
        if len(found) > limit:
            break
    return found
