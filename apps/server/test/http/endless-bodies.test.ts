import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { everyRequest } from '../support/every-request.ts';
import { useServer } from '../support/server.ts';
import { INPUTS } from './inputs.ts';

const KIB = 1024;
const CHUNK = `${(64 * KIB).toString(16)}\r\n${' '.repeat(64 * KIB)}\r\n`;

const server = useServer();

/** The status of a response that comes while the body still arrives. */
async function statusBeforeEnd(lines: readonly string[]): Promise<number> {
  const { host, hostname, port } = new URL(server.origin);
  const socket = connect(Number(port), hostname).on('error', () => {});
  onTestFinished(() => void socket.destroy());
  socket.write([...lines, `Host: ${host}`, '', ''].join('\r\n'));
  const sending = setInterval(() => socket.writableNeedDrain || socket.write(CHUNK), 1);
  onTestFinished(() => clearInterval(sending));
  const [head] = await once(socket, 'data');
  clearInterval(sending);
  return Number(String(head).split(' ')[1]);
}

const LENGTHS = ['Transfer-Encoding: chunked', `Content-Length: ${600 * KIB * KIB}`];

describe('a body without end is refused while it arrives', () => {
  const pages = Object.values(INPUTS).map(({ url }) => url.replaceAll('{}', 'x'.repeat(43)));

  it.each(pages)('by %s, from a stranger', async (path) => {
    const types = ['application/x-www-form-urlencoded', 'application/json'];
    for (const type of types) {
      for (const length of LENGTHS) {
        const lines = [`POST ${path} HTTP/1.1`, `Content-Type: ${type}`, length];
        const status = await statusBeforeEnd([...lines, `Origin: ${server.origin}`]);
        expect(status).toBeLessThan(500);
      }
    }
  });

  const writes = everyRequest.filter(({ method }) => method !== 'GET');
  it.each(writes)('by $id, from an owner and from a stranger', async ({ method, path }) => {
    for (const length of LENGTHS) {
      const head = [`${method} /api/v1${path} HTTP/1.1`, 'Content-Type: application/json', length];
      expect(await statusBeforeEnd(head)).toBe(401);
      const authorized = [...head, `Authorization: Bearer ${server.owner}`];
      expect(await statusBeforeEnd(authorized)).toBe(413);
    }
  });
});
