// The WebSocket to the server: connects, reconnects, and dispatches messages.

const DELAYS = [500, 1000, 2000, 5000]; // docs/view_protocol.md
const SILENCE_MS = 15000; // no word for so long: the connection is taken for dead
const PING_MS = 5000;

export class Connection {
  /** handlers: {state(connection), message(object)} */
  constructor(handlers) {
    this.handlers = handlers;
    this.state = 'connecting'; // 'connecting', 'open', 'waiting'
    this.opened = 0; // how often a connection was made
    this.attempt = 0; // since the last one was lost
    this.retryAt = 0;
    this.received = 0;
    this.bytes = 0;
    this.badMessages = 0;
    this.subscription = null;
    setInterval(() => this.#watch(), PING_MS);
    window.addEventListener('online', () => this.retryNow());
    this.#open();
  }

  #open() {
    const url = new URL('/live', window.location.href);
    url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
    this.attempt++;
    this.#change('connecting');
    const socket = new WebSocket(url, 'mbdyn.1');
    this.socket = socket;
    socket.onopen = () => this.#opened(socket);
    socket.onmessage = (event) => this.#message(socket, event.data);
    socket.onclose = () => this.#lost(socket);
  }

  #opened(socket) {
    if (socket !== this.socket) return;
    this.opened++;
    this.attempt = 0;
    this.heard = performance.now();
    this.#change('open');
    if (this.subscription) this.#send({ type: 'subscribe', ...this.subscription });
  }

  #message(socket, data) {
    if (socket !== this.socket || typeof data !== 'string') return;
    this.heard = performance.now();
    this.received++;
    this.bytes += data.length;
    let message = null;
    try {
      message = JSON.parse(data);
    } catch {
      this.badMessages++;
      return;
    }
    if (message && typeof message.type === 'string') this.handlers.message(message);
  }

  #lost(socket) {
    if (socket !== this.socket) return;
    const delay = DELAYS[Math.min(this.attempt, DELAYS.length - 1)];
    this.retryAt = performance.now() + delay;
    this.timer = setTimeout(() => this.#open(), delay);
    this.#change('waiting');
  }

  #watch() {
    if (this.state !== 'open') return;
    if (performance.now() - this.heard > SILENCE_MS) {
      const dead = this.socket;
      this.#lost(dead);
      dead.close();
    } else {
      this.#send({ type: 'ping', id: this.received });
    }
  }

  #send(message) {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  #change(state) {
    this.state = state;
    this.handlers.state(this);
  }

  /** A request that is not repeated after a lost connection. */
  ask(message) {
    if (this.state === 'open') this.#send(message);
  }

  retryNow() {
    if (this.state !== 'waiting') return;
    clearTimeout(this.timer);
    this.#open();
  }

  /** What to ask for now, and after every new connection; `history` may be a function. */
  subscribe(wanted) {
    this.subscription = wanted;
    if (this.state === 'open') this.#send({ type: 'subscribe', ...wanted });
  }
}
