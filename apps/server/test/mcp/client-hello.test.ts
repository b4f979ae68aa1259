import { expect, it } from 'vitest';
import { helloOf, MAX_HELLO, opensUrls } from '../../src/mcp/client-hello.ts';

const said = (params: Record<string, unknown>, version = '2025-11-25') =>
  helloOf({ id: '1', method: 'initialize', params }, version);

it('a hello has what the client said, and the version that it was answered with', () => {
  const capabilities = { roots: { listChanged: true }, elicitation: { url: {} } };
  const clientInfo = { name: 'client', title: 'A client', version: '1.0.0' };
  const params = { protocolVersion: '2099-01-01', capabilities, clientInfo };
  const hello = said(params);
  expect(hello).toEqual({ protocolVersion: '2025-11-25', capabilities, clientInfo });
  expect([opensUrls(hello), opensUrls(said(params, '2025-06-18'))]).toEqual([true, false]);
});

it('a hello that is too long keeps the name and the capabilities that fit', () => {
  const hello = said({
    capabilities: { experimental: { x: 'y'.repeat(2_000) }, sampling: {} },
    clientInfo: { name: 'client', version: '1', icons: ['z'.repeat(2_000)] },
  });
  expect(hello.clientInfo).toEqual({ name: 'client', version: '1' });
  expect(hello.capabilities).toEqual({ sampling: {} });
});

it.each([
  ['control characters', '\u0001'],
  ['characters beyond the basic plane', '😀'],
  ['letters', 'x'],
])('a hello of %s has a bounded size', (_name, character) => {
  const long = character.repeat(50_000);
  const many = Array.from({ length: 20_000 }, (_, index) => [`${character}${index}`, {}]);
  const hello = said({
    capabilities: Object.fromEntries(many),
    clientInfo: { name: long, version: long, title: long },
  });
  expect(Buffer.byteLength(JSON.stringify(hello))).toBeLessThanOrEqual(MAX_HELLO);
});

it('a hello of a client that says nothing is empty', () => {
  const nothing = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: {} };
  expect(said({})).toEqual(nothing);
  expect(said({ capabilities: [], clientInfo: 'x' })).toEqual(nothing);
});
