"""Recordings read and made by nothing but Python: what tests hold the view's numbers against.

A message is (log time [ns], topic, type, bytes). MCAP without compression, and sqlite3.
"""

import os
import sqlite3
import struct

MAGIC = b'\x89MCAP0\r\n'


def read(path):
    """All messages of a file or folder, in order of time."""
    if os.path.isdir(path):
        files = sorted(f for f in os.listdir(path) if f.endswith(('.mcap', '.db3')))
        assert len(files) == 1, files
        path = os.path.join(path, files[0])
    messages = list(read_db3(path) if path.endswith('.db3') else read_mcap(path))
    return sorted(messages, key=lambda m: m[0])


def file_of(folder):
    name, = [f for f in os.listdir(folder) if f.endswith(('.mcap', '.db3'))]
    return os.path.join(folder, name)


def read_db3(path):
    with sqlite3.connect('file:%s?mode=ro' % path, uri=True) as db:
        topics = {i: (name, kind) for i, name, kind in db.execute('SELECT id, name, type FROM topics')}
        for time, topic, data in db.execute('SELECT timestamp, topic_id, data FROM messages'):
            yield (time, *topics[topic], data)


def records(data):
    at = 0
    while at + 9 <= len(data):
        opcode, size = data[at], struct.unpack_from('<Q', data, at + 1)[0]
        if at + 9 + size > len(data):
            return  # cut
        yield opcode, at, data[at + 9:at + 9 + size]
        at += 9 + size


def text(data, at):
    size, = struct.unpack_from('<I', data, at)
    return data[at + 4:at + 4 + size].decode(), at + 4 + size


def whole(path):
    with open(path, 'rb') as file:
        data = file.read()
    assert data.startswith(MAGIC)
    return data[len(MAGIC):]


def chunks(path):
    """Offset of each chunk's content in the file, its records, and where they begin in the file."""
    for opcode, at, content in records(whole(path)):
        if opcode != 6:
            continue
        compression, start = text(content, 28)
        assert compression == '', compression
        size, = struct.unpack_from('<Q', content, start)
        offset = len(MAGIC) + at + 9
        yield offset, content[start + 8:start + 8 + size], offset + start + 8


def read_mcap(path):
    schemas, channels = {}, {}
    for inside in [whole(path), *(inside for _, inside, _ in chunks(path))]:
        for opcode, _, content in records(inside):
            if opcode == 3:
                schemas[struct.unpack_from('<H', content)[0]] = text(content, 2)[0]
            elif opcode == 4:
                channel, schema = struct.unpack_from('<HH', content)
                channels[channel] = (text(content, 4)[0], schemas[schema])
            elif opcode == 5:
                channel, _, time, _ = struct.unpack_from('<HIQQ', content)
                yield (time, *channels[channel], content[22:])


# ---------- messages ----------

class Cdr:
    """CDR, little endian."""

    def __init__(self, data):
        assert data[1] == 1, 'big endian'
        self.data, self.at = data[4:], 0

    def read(self, form, n=1):
        size = struct.calcsize('<' + form[-1])
        self.at += -self.at % size
        values = struct.unpack_from('<%d%s' % (n, form[-1]), self.data, self.at)
        self.at += n * size
        return list(values) if n != 1 or form[0] == '*' else values[0]

    def numbers(self, form='d'):
        n = self.read('I')
        return self.read('*' + form, n) if n else []

    def string(self):
        n = self.read('I')
        value = self.data[self.at:self.at + n - 1].decode()
        self.at += n
        return value

    def strings(self):
        return [self.string() for _ in range(self.read('I'))]

    def header(self):
        sec, nanosec = self.read('i'), self.read('I')
        self.string()
        return sec + nanosec * 1e-9


def joint_dynamics(data):
    cdr = Cdr(data)
    keys = ['position', 'velocity', 'acceleration', 'measured', 'total', 'gravity', 'coriolis',
            'inertia', 'friction', 'external', 'command', 'limit']
    t, joints = cdr.header(), {}
    for _ in range(cdr.read('I')):
        name = cdr.string()
        joints[name] = dict(zip(keys, cdr.read('d', 12)))
        cdr.read('B')
    return {'t': t, 'joints': joints}


def joint_state(data):
    cdr = Cdr(data)
    t, names = cdr.header(), cdr.strings()
    return {'t': t, 'names': names, 'position': cdr.numbers(), 'velocity': cdr.numbers(),
            'effort': cdr.numbers()}


def mass_matrix(data):
    cdr = Cdr(data)
    t = cdr.header()
    cdr.strings()
    cdr.strings()
    cdr.read('I', 2)
    return {'t': t, 'data': cdr.numbers()}


# ---------- making them ----------

def keep(source, path, wanted):
    """A .db3 recording with some messages of another one: wanted(time, topic)."""
    with sqlite3.connect(path) as db:
        db.execute('CREATE TABLE topics(id INTEGER PRIMARY KEY, name TEXT NOT NULL, type TEXT NOT '
                   'NULL, serialization_format TEXT NOT NULL, offered_qos_profiles TEXT NOT NULL)')
        db.execute('CREATE TABLE messages(id INTEGER PRIMARY KEY, topic_id INTEGER NOT NULL, '
                   'timestamp INTEGER NOT NULL, data BLOB NOT NULL)')
        db.execute('CREATE INDEX timestamp_idx ON messages (timestamp ASC)')
        topics = {}
        for time, topic, kind, data in read(source):
            if not wanted(time, topic):
                continue
            if topic not in topics:
                topics[topic] = len(topics) + 1
                db.execute('INSERT INTO topics VALUES(?, ?, ?, ?, ?)',
                           (topics[topic], topic, kind, 'cdr', ''))
            db.execute('INSERT INTO messages(topic_id, timestamp, data) VALUES(?, ?, ?)',
                       (topics[topic], time, data))
    return path
