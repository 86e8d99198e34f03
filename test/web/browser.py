"""
A headless Chromium, driven by chromedriver over WebDriver: Python's own library, nothing else.

Only what the tests of the page need: https://www.w3.org/TR/webdriver2/ has the commands.
"""

import base64
import http.client
import json
import os
import shutil
import signal
import subprocess
import tempfile
import time

ELEMENT = 'element-6066-11e4-a52e-4f735466cecf'  # key of an element's reference, by the standard

KEYS = {'left': '\ue012', 'right': '\ue014', 'up': '\ue013', 'down': '\ue015', 'tab': '\ue004',
        'home': '\ue011', 'end': '\ue010', 'escape': '\ue00c', 'enter': '\ue007'}


class BrowserError(Exception):
    pass


def chromium():
    """Paths of chromedriver and chromium, or None where one is missing."""
    driver = shutil.which('chromedriver')
    browser = shutil.which('chromium') or shutil.which('chromium-browser')
    return (driver, browser) if driver and browser else None


class Browser:
    def __init__(self, width=1280, height=720, dark=True):
        driver, binary = chromium()
        self.folder = tempfile.mkdtemp(prefix='mbdyn_browser_')
        self.downloads = os.path.join(self.folder, 'downloads')
        os.mkdir(self.downloads)
        self.session = None
        # a process group of its own, so that nothing of the browser is left behind
        # drawing takes all processors there are: the robot and its node come first
        self.driver = subprocess.Popen(
            ['nice', '-n', '15', driver, '--port=0', f'--log-path={self.folder}/chromedriver.log'],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, start_new_session=True,
            env={**os.environ, 'HOME': self.folder})
        self.port = self._read_port()
        try:
            self._start(binary, width, height, dark, os.geteuid() != 0)
        except BrowserError:
            # containers often refuse what its sandbox needs; the page is our own
            self._start(binary, width, height, dark, False)

    def _read_port(self):
        for line in self.driver.stdout:
            if 'started successfully on port' in line:
                return int(line.split('port')[1].strip(' .\n'))
        raise BrowserError('chromedriver did not start')

    def _start(self, binary, width, height, dark, sandbox):
        arguments = [
            # by a pipe: a port would need a machine that knows the name localhost
            '--remote-debugging-pipe', '--headless=new', '--no-first-run', '--disable-background-networking',
            '--disable-component-update', '--disable-sync', '--mute-audio', '--disable-dev-shm-usage',
            # WebGL by the processor: a test machine has no graphics card
            '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist',
            '--disable-accelerated-2d-canvas', '--disable-gpu-rasterization', '--hide-scrollbars', '--force-color-profile=srgb', f'--window-size={width},{height}',
            f'--user-data-dir={self.folder}/profile']
        if not sandbox:
            arguments.append('--no-sandbox')  # which refuses to run as root
        options = {
            'binary': binary, 'args': arguments,
            'prefs': {'download.default_directory': self.downloads,
                      'download.prompt_for_download': False}}
        answer = self._call('POST', '/session', {'capabilities': {'alwaysMatch': {
            'browserName': 'chrome', 'goog:chromeOptions': options,
            'goog:loggingPrefs': {'browser': 'ALL'}}}})
        self.session = answer['sessionId']
        self.version = answer['capabilities'].get('browserVersion', '')
        self.size(width, height)
        self.colours(dark)

    # ---------- commands ----------

    def _call(self, method, path, body=None, timeout=60):
        prefix = f'/session/{self.session}' if self.session and path != '/session' else ''
        connection = http.client.HTTPConnection('127.0.0.1', self.port, timeout=timeout)
        try:
            text = json.dumps(body if body is not None else {}) if method == 'POST' else None
            connection.request(method, prefix + path, text, {'Content-Type': 'application/json'})
            value = json.loads(connection.getresponse().read())['value']
        finally:
            connection.close()
        if isinstance(value, dict) and 'error' in value:
            raise BrowserError(f"{value['error']}: {value.get('message', '')[:500]}")
        return value

    def devtools(self, command, **parameters):
        return self._call('POST', '/goog/cdp/execute', {'cmd': command, 'params': parameters})

    def size(self, width, height, scale=1):
        self.devtools('Emulation.setDeviceMetricsOverride', width=width, height=height,
                      deviceScaleFactor=scale, mobile=width < 600)

    def colours(self, dark):
        self.devtools('Emulation.setEmulatedMedia', features=[
            {'name': 'prefers-color-scheme', 'value': 'dark' if dark else 'light'}])

    def open(self, address):
        self._call('POST', '/url', {'url': address})

    def run(self, script, *arguments, wait=False):
        """Value of a JavaScript function body; with wait, what it gives its last argument."""
        how = 'async' if wait else 'sync'
        return self._call('POST', f'/execute/{how}', {'script': script, 'args': list(arguments)})

    def read(self, expression):
        return self.run(f'return {expression};')

    def wait(self, expression, seconds=20, what=None):
        """Until the expression is true; its value."""
        end = time.monotonic() + seconds
        while True:
            value = self.read(expression)
            if value:
                return value
            if time.monotonic() > end:
                raise BrowserError(f'not within {seconds} s: {what or expression}')
            time.sleep(0.1)

    def find(self, selector):
        found = self._call('POST', '/element', {'using': 'css selector', 'value': selector})
        return found[ELEMENT]

    def click(self, selector):
        self._call('POST', f'/element/{self.find(selector)}/click')

    def keys(self, *keys):
        """Keys for the page as a whole, whatever had the focus."""
        self.run('document.activeElement?.blur()')
        self.press(*keys)

    def press(self, *keys):
        """Keys to whatever has the focus: characters, or names of KEYS."""
        actions = []
        for key in keys:
            value = KEYS.get(key, key)
            actions += [{'type': 'keyDown', 'value': value}, {'type': 'keyUp', 'value': value}]
        self._call('POST', '/actions', {'actions': [{'type': 'key', 'id': 'keys', 'actions': actions}]})

    def point(self, *steps):
        """Mouse: ('move', x, y), ('down',), ('up',) in pixels of the page."""
        made = []
        for step in steps:
            if step[0] == 'move':
                made.append({'type': 'pointerMove', 'x': round(step[1]), 'y': round(step[2]),
                             'duration': 100, 'origin': 'viewport'})
            else:
                made.append({'type': f'pointer{step[0].capitalize()}', 'button': 0})
        self._call('POST', '/actions', {'actions': [{
            'type': 'pointer', 'id': 'mouse', 'parameters': {'pointerType': 'mouse'},
            'actions': made}]})

    def box(self, selector):
        """left, top, width, height of an element."""
        return self.run('const b = document.querySelector(arguments[0]).getBoundingClientRect();'
                        'return [b.left, b.top, b.width, b.height];', selector)

    def screenshot(self, path):
        with open(path, 'wb') as file:
            file.write(base64.b64decode(self._call('GET', '/screenshot')))

    def log(self):
        """What the page wrote to its console since the last call: [(level, text)]."""
        entries = self._call('POST', '/se/log', {'type': 'browser'})
        return [(entry['level'], entry['message']) for entry in entries]

    def downloaded(self, ending, seconds=15):
        """Path of a whole file that was saved, newest first."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            files = [os.path.join(self.downloads, name) for name in os.listdir(self.downloads)
                     if name.endswith(ending)]
            if files:
                return max(files, key=os.path.getmtime)
            time.sleep(0.1)
        raise BrowserError(f'no {ending} was saved: {os.listdir(self.downloads)}')

    def close(self):
        try:
            if self.session:
                self._call('DELETE', '', timeout=10)
        except (OSError, BrowserError, http.client.HTTPException):
            pass
        try:
            os.killpg(self.driver.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.driver.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
