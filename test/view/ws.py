"""A small WebSocket client (RFC 6455) for tests: text frames, no extensions, nothing but Python."""

import base64
import hashlib
import json
import os
import socket
import struct
import time

GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'


class Refused(Exception):
    """The server answered the upgrade with another status."""

    def __init__(self, status):
        super().__init__('HTTP status %s' % status)
        self.status = status


class Closed(Exception):
    """The server closed the connection; code is None if it did not say why."""

    def __init__(self, code):
        super().__init__('closed with %s' % code)
        self.code = code


class WebSocket:
    def __init__(self, port, host='127.0.0.1', path='/live', headers=None, protocol='mbdyn.1',
                 timeout=10, early=b''):
        self.sock = socket.create_connection((host, port), timeout)
        self.data = b''
        self.pace = None  # bytes per second that it reads at most
        key = base64.b64encode(os.urandom(16)).decode()
        wanted = {
            'Host': 'localhost:%d' % port, 'Upgrade': 'websocket', 'Connection': 'Upgrade',
            'Sec-WebSocket-Key': key, 'Sec-WebSocket-Version': '13'}
        if protocol:
            wanted['Sec-WebSocket-Protocol'] = protocol
        wanted.update(headers or {})
        lines = ['GET %s HTTP/1.1' % path] + [
            '%s: %s' % item for item in wanted.items() if item[1] is not None]
        self.sock.sendall(('\r\n'.join(lines) + '\r\n\r\n').encode() + early)
        self._handshake(key, protocol)

    def _handshake(self, key, protocol):
        while b'\r\n\r\n' not in self.data:
            part = self.sock.recv(65536)
            if not part:
                raise Refused('none: connection closed')
            self.data += part
        head, self.data = self.data.split(b'\r\n\r\n', 1)
        lines = head.decode('latin-1').split('\r\n')
        status = int(lines[0].split()[1])
        if status != 101:
            self.sock.close()
            raise Refused(status)
        fields = dict(line.lower().split(': ', 1) for line in lines[1:] if ': ' in line)
        expected = base64.b64encode(hashlib.sha1((key + GUID).encode()).digest()).decode()
        assert fields['sec-websocket-accept'] == expected.lower(), fields
        if protocol:
            assert fields['sec-websocket-protocol'] == protocol, fields

    # ---------- frames ----------

    def _read(self, n):
        while len(self.data) < n:
            part = self.sock.recv(8192 if self.pace else 1 << 20)
            if not part:
                raise Closed(None)
            self.data += part
            if self.pace:
                time.sleep(len(part) / self.pace)
        out, self.data = self.data[:n], self.data[n:]
        return out

    def frame(self, opcode, payload, final=True):
        mask = os.urandom(4)
        n = len(payload)
        head = bytes([(0x80 if final else 0) | opcode])
        if n < 126:
            head += bytes([0x80 | n])
        elif n < 65536:
            head += bytes([0x80 | 126]) + struct.pack('>H', n)
        else:
            head += bytes([0x80 | 127]) + struct.pack('>Q', n)
        masked = bytes(b ^ mask[i % 4] for i, b in enumerate(payload))
        self.sock.sendall(head + mask + masked)

    def _next_frame(self):
        first, second = self._read(2)
        n = second & 0x7F
        if n == 126:
            n = struct.unpack('>H', self._read(2))[0]
        elif n == 127:
            n = struct.unpack('>Q', self._read(8))[0]
        assert not second & 0x80, 'a server must not mask'
        return first & 0x0F, bool(first & 0x80), self._read(n)

    # ---------- messages ----------

    def send(self, message):
        text = message if isinstance(message, str) else json.dumps(message)
        self.frame(1, text.encode())

    def text(self):
        parts = b''
        while True:
            opcode, final, payload = self._next_frame()
            if opcode == 8:
                raise Closed(struct.unpack('>H', payload[:2])[0] if len(payload) >= 2 else None)
            if opcode == 9:
                self.frame(10, payload)
                continue
            if opcode == 10:
                continue
            parts += payload
            if final:
                return parts.decode('utf-8')

    def receive(self):
        def reject_constant(name):
            raise AssertionError('%s is not JSON' % name)
        return json.loads(self.text(), parse_constant=reject_constant)

    def wait(self, kind, seconds=10, check=lambda message: True):
        """The next message of a type that passes a check."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            message = self.receive()
            if message['type'] == kind and check(message):
                return message
        raise AssertionError('no %s in %g s' % (kind, seconds))

    def close(self):
        self.sock.close()
