import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { importsWithin, usersOfGlobals } from './imports.ts';

const server = fileURLToPath(new URL('../../src/', import.meta.url));

/** Modules that reach the network, and their exports that do not. Only egress may import the other exports. */
const harmless: Record<string, readonly string[]> = {
  undici: [],
  http: ['createServer', 'Server', 'STATUS_CODES', 'METHODS'],
  https: [],
  http2: [],
  net: ['createServer', 'Server', 'isIP', 'isIPv4', 'isIPv6', 'BlockList', 'SocketAddress'],
  tls: [],
  dns: [],
  'dns/promises': [],
  dgram: [],
  child_process: [],
};

const GLOBALS = ['fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest'];

/** A command's own process: it connects to the socket in the data directory, by its path. */
const COMMAND = 'control/send-request.ts takes connect of node:net';

const isEgress = (file: string) => file.startsWith('egress/');

it('only egress imports what reaches the network', () => {
  const reaching = importsWithin(server)
    .filter(({ file }) => !isEgress(file))
    .flatMap(({ file, specifier, values }) => {
      const safe = harmless[specifier.replace(/^node:/, '')];
      const taken = safe === undefined ? [] : values.filter((name) => !safe.includes(name));
      return taken.map((name) => `${file} takes ${name} of ${specifier}`);
    });
  expect(reaching).toEqual([COMMAND]);
});

it('no file calls a global function that reaches the network', () => {
  expect(usersOfGlobals(server, GLOBALS)).toEqual([]);
});

it('egress itself dials with undici, so that these rules would notice it elsewhere', () => {
  const taken = importsWithin(server)
    .filter(({ file, specifier }) => isEgress(file) && specifier === 'undici')
    .flatMap(({ values }) => values);
  expect([...new Set(taken)].sort()).toEqual(['Client', 'Pool', 'buildConnector']);
});
