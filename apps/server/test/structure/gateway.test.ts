import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { filesIn } from './imports.ts';

const source = fileURLToPath(new URL('../../src/', import.meta.url));

const filesWith = (folder: string, text: RegExp) =>
  filesIn(`${source}${folder}`)
    .filter((file) => text.test(readFileSync(file, 'utf8')))
    .map((file) => file.slice(source.length));

it('only mcp/server/reply.ts writes messages of JSON-RPC for the gateway', () => {
  expect(filesWith('gateway', /jsonrpc/)).toEqual([]);
  expect(filesWith('mcp/server', /jsonrpc/)).toEqual(['mcp/server/reply.ts']);
});

it('only make-call.ts decides what becomes of a response', () => {
  expect(filesWith('gateway', /new RelayedResponse/)).toEqual(['gateway/make-call.ts']);
});

it('only gateway/http knows the requests and responses of node', () => {
  const folders = ['gateway', 'mcp', 'sessions', 'eras'];
  const found = folders.flatMap((folder) => filesWith(folder, /IncomingMessage|ServerResponse/));
  expect(found.filter((file) => !file.startsWith('gateway/http/'))).toEqual([]);
});
