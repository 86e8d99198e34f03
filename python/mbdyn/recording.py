"""Recordings of rosbag2 (folders, .mcap and .db3 files) as arrays, without ROS 2.

    from mbdyn import recording
    bag = recording.open('run1')
    bag.topics                                   # name -> Topic(type, count)
    joints = bag.joint_states()                  # t, names, q, v, effort
    for t, message in bag.messages('/imu'): ...  # a message is a dict; numbers in arrays are NumPy's

MCAP chunks may be compressed by zstd or lz4, if the library (libzstd.so.1, liblz4.so.1) is there. Types are read
from the definitions in the file; a .db3 file without them knows those of DEFINITIONS.
"""
import array as _array
import builtins
import collections
import ctypes
import ctypes.util
import pathlib
import sqlite3
import struct

Topic = collections.namedtuple('Topic', 'type count')
JointStates = collections.namedtuple('JointStates', 't names q v effort')

_STAMP = 'builtin_interfaces/Time stamp\nstring frame_id\n'
# types that a file without definitions may contain, with what they are made of
DEFINITIONS = {
    'builtin_interfaces/Time': 'int32 sec\nuint32 nanosec\n',
    'std_msgs/Header': _STAMP,
    'std_msgs/String': 'string data\n',
    'std_msgs/Float64': 'float64 data\n',
    'std_msgs/Float64MultiArray': 'std_msgs/MultiArrayLayout layout\nfloat64[] data\n',
    'std_msgs/MultiArrayLayout': 'std_msgs/MultiArrayDimension[] dim\nuint32 data_offset\n',
    'std_msgs/MultiArrayDimension': 'string label\nuint32 size\nuint32 stride\n',
    'sensor_msgs/JointState': 'std_msgs/Header header\nstring[] name\nfloat64[] position\nfloat64[] velocity\n'
                              'float64[] effort\n',
    'geometry_msgs/Vector3': 'float64 x\nfloat64 y\nfloat64 z\n',
    'geometry_msgs/Point': 'float64 x\nfloat64 y\nfloat64 z\n',
    'geometry_msgs/Quaternion': 'float64 x\nfloat64 y\nfloat64 z\nfloat64 w\n',
    'geometry_msgs/Pose': 'geometry_msgs/Point position\ngeometry_msgs/Quaternion orientation\n',
    'geometry_msgs/Wrench': 'geometry_msgs/Vector3 force\ngeometry_msgs/Vector3 torque\n',
    'geometry_msgs/WrenchStamped': 'std_msgs/Header header\ngeometry_msgs/Wrench wrench\n',
    'sensor_msgs/Imu': 'std_msgs/Header header\ngeometry_msgs/Quaternion orientation\n'
                       'float64[9] orientation_covariance\ngeometry_msgs/Vector3 angular_velocity\n'
                       'float64[9] angular_velocity_covariance\ngeometry_msgs/Vector3 linear_acceleration\n'
                       'float64[9] linear_acceleration_covariance\n',
}

_FORMATS = {'bool': '?', 'byte': 'B', 'char': 'B', 'int8': 'b', 'uint8': 'B', 'int16': 'h', 'uint16': 'H', 'int32': 'i',
            'uint32': 'I', 'int64': 'q', 'uint64': 'Q', 'float32': 'f', 'float64': 'd'}


class RecordingError(ValueError):
    """The recording cannot be read: which file, what, and a way out."""


# ---------- messages: CDR by the text of their type

def _numbers(kind, data):
    """Numbers of an array: NumPy's if it is there."""
    try:
        import numpy
        return numpy.frombuffer(data, dtype='<' + {'?': '?'}.get(kind, kind)).copy()
    except ImportError:
        code = 'B' if kind == '?' else {'q': 'q', 'Q': 'Q'}.get(kind, kind)
        return _array.array(code, data)


class _Types:
    """Fields of types by name, from the texts of one definition."""

    def __init__(self, root, text):
        self.fields = {}
        self.texts = {k: v for k, v in DEFINITIONS.items()}
        current, lines, parts = self.short(root), [], {}
        for line in (text or '').splitlines():
            if line.startswith('====='):
                parts[current], lines = lines, []
            elif line.startswith('MSG: '):
                current = self.short(line[5:].strip())
            else:
                lines.append(line)
        if text:
            parts[current] = lines
            self.texts.update({name: '\n'.join(body) for name, body in parts.items()})
        self.root = self.short(root)

    @staticmethod
    def short(name):
        return name.replace('/msg/', '/')

    def of(self, name):
        """(field, base type, array: None, -1 for a sequence, or its length) each."""
        if name in self.fields:
            return self.fields[name]
        if name not in self.texts:
            raise RecordingError(f'the type {name} is not defined in the recording; record MCAP, or add its text to '
                                 'mbdyn.recording.DEFINITIONS')
        package, out = name.split('/')[0], []
        for line in self.texts[name].splitlines():
            words = line.split('#')[0].split()
            # constants have no place in a message
            if len(words) < 2 or '=' in words[1] or (len(words) > 2 and words[2].startswith('=')):
                continue
            base, bracket, bound = words[0].partition('[')
            base = base.split('<=')[0]
            count = None
            if bracket:
                bound = bound.rstrip(']')
                count = int(bound) if bound.isdigit() else -1
            if base not in _FORMATS and base not in ('string', 'wstring') and '/' not in base:
                base = 'std_msgs/Header' if base == 'Header' else f'{package}/{base}'
            out.append((words[1], self.short(base), count))
        self.fields[name] = out
        return out


class _Cursor:
    def __init__(self, data):
        if len(data) < 4 or data[0] != 0 or data[1] not in (0, 1):
            raise RecordingError('a message is not in plain CDR')
        self.order = '<' if data[1] == 1 else '>'
        self.data, self.at = memoryview(data)[4:], 0

    def take(self, kind, count=1):
        size = struct.calcsize('<' + kind)
        self.at += -self.at % size
        end = self.at + size * count
        if end > len(self.data):
            raise RecordingError('a message ends too early')
        part = self.data[self.at:end]
        self.at = end
        return part

    def number(self, kind):
        return struct.unpack(self.order + kind, self.take(kind))[0]

    def numbers(self, kind, count):
        if count == 0:
            return _numbers(kind, b'')
        part = bytes(self.take(kind, count))
        if self.order == '>':
            part = struct.pack(f'<{count}{kind}', *struct.unpack(f'>{count}{kind}', part))
        return _numbers(kind, part)

    def string(self):
        n = self.number('I')
        text = bytes(self.take('B', n))
        return text[:-1].decode('utf-8', 'replace') if text[-1:] == b'\0' else text.decode('utf-8', 'replace')

    def value(self, types, base, count):
        if base in _FORMATS:
            if count is None:
                return self.number(_FORMATS[base])
            return self.numbers(_FORMATS[base], self.number('I') if count < 0 else count)
        if count is not None:
            n = self.number('I') if count < 0 else count
            if n > len(self.data):
                raise RecordingError('a message has an impossible length')
            return [self.value(types, base, None) for _ in range(n)]
        if base == 'string':
            return self.string()
        if base == 'wstring':
            raise RecordingError('wide strings are not read')
        fields = types.of(base)
        if not fields:
            self.take('B')  # an empty type has one byte
        return {name: self.value(types, kind, n) for name, kind, n in fields}


# ---------- files

class _Library:
    """A decompressor by ctypes: zstd and lz4 are no part of Python."""

    def __init__(self, name, package):
        try:
            self.lib = ctypes.CDLL(name)
        except OSError:
            raise RecordingError(f'a chunk needs {name}; on Debian: apt-get install {package}') from None


def _zstd(data, size):
    lib = _Library('libzstd.so.1', 'libzstd1').lib
    lib.ZSTD_decompress.restype = ctypes.c_size_t
    lib.ZSTD_decompress.argtypes = [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_size_t]
    out = ctypes.create_string_buffer(size)
    if lib.ZSTD_decompress(out, size, data, len(data)) != size:
        raise RecordingError('a zstd chunk is damaged')
    return out.raw


def _lz4(data, size):
    lib = _Library('liblz4.so.1', 'liblz4-1').lib
    context = ctypes.c_void_p()
    lib.LZ4F_createDecompressionContext(ctypes.byref(context), ctypes.c_uint(100))
    lib.LZ4F_decompress.restype = ctypes.c_size_t
    out, done, at = ctypes.create_string_buffer(size), 0, 0
    try:
        while at < len(data) and done < size:
            to, part = ctypes.c_size_t(size - done), ctypes.c_size_t(len(data) - at)
            left = lib.LZ4F_decompress(context, ctypes.byref(out, done), ctypes.byref(to),
                                       ctypes.c_char_p(data[at:]), ctypes.byref(part), None)
            if lib.LZ4F_isError(ctypes.c_size_t(left)) or (to.value == 0 and part.value == 0):
                break
            done, at = done + to.value, at + part.value
    finally:
        lib.LZ4F_freeDecompressionContext(context)
    if done != size:
        raise RecordingError('an lz4 chunk is damaged')
    return out.raw


def _text(data, at):
    n = struct.unpack_from('<I', data, at)[0]
    return bytes(data[at + 4:at + 4 + n]).decode('utf-8', 'replace'), at + 4 + n


class _Mcap:
    MAGIC = b'\x89MCAP0\r\n'

    def __init__(self, path):
        self.path, self.schemas, self.channels = path, {}, {}
        with builtins.open(path, 'rb') as file:
            if file.read(8) != self.MAGIC:
                raise RecordingError(f'{path}: this is no MCAP file')

    def records(self, file):
        """(opcode, content) of what the file or a chunk has; ends where it was cut off."""
        while True:
            head = file.read(9)
            if len(head) < 9:
                return
            opcode, size = struct.unpack('<BQ', head)
            if opcode in (0x0F, 0x02):  # end of data, footer
                return
            content = file.read(size)
            if len(content) < size:
                return
            yield opcode, content

    def messages(self, wanted=None):
        import io
        with builtins.open(self.path, 'rb') as file:
            file.read(8)
            for opcode, content in self.records(file):
                if opcode == 0x06:
                    size, at = struct.unpack_from('<Q', content, 16)[0], 28
                    compression, at = _text(content, at)
                    data = content[at + 8:]
                    if compression:
                        known = {'zstd': _zstd, 'lz4': _lz4}
                        if compression not in known:
                            raise RecordingError(f'{self.path}: chunks are compressed by {compression}')
                        data = known[compression](data, size)
                    for inner in self.records(io.BytesIO(data)):
                        yield from self.one(*inner, wanted)
                else:
                    yield from self.one(opcode, content, wanted)

    def one(self, opcode, content, wanted):
        if opcode == 0x03:
            number = struct.unpack_from('<H', content)[0]
            name, at = _text(content, 2)
            encoding, at = _text(content, at)
            n = struct.unpack_from('<I', content, at)[0]
            text = content[at + 4:at + 4 + n].decode('utf-8', 'replace') if encoding == 'ros2msg' else None
            self.schemas[number] = (name, text)
        elif opcode == 0x04:
            number, schema = struct.unpack_from('<HH', content)
            self.channels[number] = (_text(content, 4)[0], *self.schemas.get(schema, ('', None)))
        elif opcode == 0x05:
            number, _, time = struct.unpack_from('<HIQ', content)
            if number in self.channels:
                topic, kind, text = self.channels[number]
                if wanted is None or topic in wanted:
                    yield time, topic, kind, text, content[22:]


class _Db3:
    def __init__(self, path):
        self.path = path
        try:
            with self.connect() as db:
                db.execute('SELECT id, name, type FROM topics LIMIT 1')
        except sqlite3.Error as e:
            raise RecordingError(f'{path}: this is no recording of rosbag2: {e}') from None

    def connect(self):
        return sqlite3.connect(f'file:{self.path}?mode=ro', uri=True)

    def messages(self, wanted=None):
        with self.connect() as db:
            try:
                texts = dict(db.execute('SELECT topic_type, encoded_message_definition FROM message_definitions'))
            except sqlite3.Error:
                texts = {}
            topics = {n: (name, kind, texts.get(kind)) for n, name, kind in
                      db.execute('SELECT id, name, type FROM topics')}
            for n, time, data in db.execute('SELECT topic_id, timestamp, data FROM messages ORDER BY timestamp, id'):
                topic, kind, text = topics[n]
                if wanted is None or topic in wanted:
                    yield time, topic, kind, text, bytes(data)


class Recording:
    """An open recording; it is read anew by every call."""

    def __init__(self, path):
        path = pathlib.Path(path)
        files = sorted([*path.glob('*.mcap'), *path.glob('*.db3')]) if path.is_dir() else [path]
        if not files or not files[0].exists():
            raise RecordingError(f'{path}: there is no recording: a folder with .mcap or .db3 files, or such a file')
        self.path, self._files = path, [_Db3(f) if f.suffix == '.db3' else _Mcap(f) for f in files]
        self._types, self._topics = {}, None

    @property
    def topics(self):
        """name -> Topic(type, count)."""
        if self._topics is None:
            found = collections.Counter()
            for file in self._files:
                for _, topic, kind, _, _ in file.messages():
                    found[topic, kind] += 1
            self._topics = {topic: Topic(kind, n) for (topic, kind), n in sorted(found.items())}
        return self._topics

    def messages(self, *topics):
        """(time of the record [s], message) of one topic; (time, topic, message) of several, or of all."""
        for file in self._files:
            for time, topic, kind, text, data in file.messages(set(topics) if topics else None):
                if (kind, text) not in self._types:
                    self._types[kind, text] = _Types(kind, text)
                types = self._types[kind, text]
                message = _Cursor(data).value(types, types.root, None)
                yield (time * 1e-9, message) if len(topics) == 1 else (time * 1e-9, topic, message)

    def joint_states(self, topic='/joint_states', model=None):
        """Samples of sensor_msgs/JointState: t [s] of the stamps, names, q, v, effort (n x joints; NaN where a
        message has none). model: joints in its order."""
        import numpy as np
        names = [] if model is None else list(model.joint_names)
        times, rows = [], []
        for time, m in self.messages(topic):
            stamp = m['header']['stamp']
            stamped = stamp['sec'] + stamp['nanosec'] * 1e-9
            times.append(stamped or time)
            for name in m['name']:
                if model is None and name not in names:
                    names.append(name)
            rows.append((m['name'], m['position'], m['velocity'], m['effort']))
        index = {name: k for k, name in enumerate(names)}
        out = np.full((3, len(rows), len(names)), np.nan)
        for k, (joints, *values) in enumerate(rows):
            for part, numbers in enumerate(values):
                for name, x in zip(joints, numbers):
                    if name in index:
                        out[part, k, index[name]] = x
        return JointStates(np.array(times), names, *out)

    def robot_description(self, topic='/robot_description'):
        """URDF text that was recorded, or None."""
        return next((m['data'] for _, m in self.messages(topic)), None)


def open(path):
    return Recording(path)
