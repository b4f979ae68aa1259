import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';

const HEAD_END = Buffer.from('\r\n\r\n');
const LAST_CHUNK = Buffer.from('0\r\n\r\n');

/**
 * One HTTP/1.1 connection with one request in flight. Much lighter than `node:http`, so that the load
 * generator takes little of the CPU that it shares with what it measures.
 */
export class Connection {
  #port;
  #ca;
  #socket;
  #pending = [];
  #size = 0;
  #head;
  #bodyStart = 0;
  #length = 0;
  #isChunked = false;
  #settle;

  /** @param ca of the certificate for `localhost`, if the port speaks TLS. */
  constructor(port, ca) {
    this.#port = port;
    this.#ca = ca;
    this.reopen();
  }

  /** Replaces the connection, which the server may be about to close because it was idle. */
  reopen() {
    this.close();
    const target = { port: this.#port, host: '127.0.0.1', noDelay: true };
    const socket = this.#ca
      ? connectTls({ ...target, ca: this.#ca, servername: 'localhost' })
      : connect(target);
    socket.on('data', (chunk) => this.#receive(chunk));
    socket.on('error', (error) => this.#fail(error));
    socket.on('close', () => this.#fail(new Error('The target closed the connection.')));
    this.#socket = socket;
  }

  /** @returns {Promise<{ status: number, head: string, body: Buffer }>} */
  exchange(bytes) {
    return new Promise((resolve, reject) => {
      if (this.#socket.destroyed) reject(new Error('The connection is closed.'));
      this.#settle = { resolve, reject };
      this.#socket.write(bytes);
    });
  }

  close() {
    this.#settle = undefined;
    this.#socket
      ?.removeAllListeners()
      .on('error', () => {})
      .destroy();
  }

  #fail(error) {
    this.#settle?.reject(error);
    this.#settle = undefined;
  }

  #receive(chunk) {
    this.#pending.push(chunk);
    this.#size += chunk.length;
    if (this.#head === undefined && !this.#readHead()) return;
    if (this.#isChunked) this.#finishChunked();
    else if (this.#size >= this.#bodyStart + this.#length) {
      this.#finish(this.#joined().subarray(this.#bodyStart, this.#bodyStart + this.#length));
    }
  }

  #joined() {
    if (this.#pending.length > 1) this.#pending = [Buffer.concat(this.#pending, this.#size)];
    return this.#pending[0];
  }

  #readHead() {
    const bytes = this.#joined();
    const end = bytes.indexOf(HEAD_END);
    if (end === -1) return false;
    this.#head = bytes.latin1Slice(0, end);
    this.#bodyStart = end + HEAD_END.length;
    this.#isChunked = headerOf(this.#head, 'transfer-encoding') === 'chunked';
    this.#length = Number(headerOf(this.#head, 'content-length') ?? 0);
    return true;
  }

  /** Cheap while the body is incomplete: a chunked body is decoded only once its last bytes have arrived. */
  #finishChunked() {
    const last = this.#pending.at(-1);
    if (last.length >= LAST_CHUNK.length && !last.subarray(-LAST_CHUNK.length).equals(LAST_CHUNK))
      return;
    const body = decodeChunked(this.#joined(), this.#bodyStart);
    if (body !== undefined) this.#finish(body);
  }

  #finish(body) {
    const head = this.#head;
    this.#pending = [];
    this.#size = 0;
    this.#head = undefined;
    const settle = this.#settle;
    this.#settle = undefined;
    settle?.resolve({ status: Number(head.slice(9, 12)), head, body });
  }
}

/** The whole decoded body; `undefined` until its end has arrived. */
function decodeChunked(bytes, start) {
  const parts = [];
  let at = start;
  for (;;) {
    const lineEnd = bytes.indexOf('\r\n', at);
    if (lineEnd === -1) return undefined;
    const size = Number.parseInt(bytes.latin1Slice(at, lineEnd), 16);
    const from = lineEnd + 2;
    if (from + size + 2 > bytes.length) return undefined;
    if (size === 0) return parts.length === 1 ? parts[0] : Buffer.concat(parts);
    parts.push(bytes.subarray(from, from + size));
    at = from + size + 2;
  }
}

/** A header of a raw head, by lower-case name. */
export function headerOf(head, name) {
  return new RegExp(`\r\n${name}: *([^\r]*)`, 'i').exec(head)?.[1];
}

/** The bytes of a request; `headers` is a list of complete header lines. */
export function requestBytes(method, path, headers, body) {
  const lines = [`${method} ${path} HTTP/1.1`, 'Host: 127.0.0.1', ...headers];
  if (body !== undefined) {
    lines.push('Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`);
  }
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body ?? ''}`);
}
