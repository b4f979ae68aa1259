import type { Tool } from '@gatehouse/sdk';
import { describe, expect, it } from 'vitest';
import { mcpClients } from '../src/views/applications/clients.ts';
import { sampleCallOf } from '../src/views/applications/sample-call.ts';
import { curlOf } from '../src/views/playground/curl.ts';
import { requestOf } from '../src/views/playground/mcp/exchange.ts';
import { modernRequest } from '../src/views/playground/mcp/messages.ts';

const AT_ONE_URL = { alias: 'docs', longest: 64 };
const AT_ITS_OWN = { alias: undefined, longest: Number.POSITIVE_INFINITY };

function tool(name: string, inputSchema: Tool['definition'], readOnly = false): Tool {
  const at = '2026-01-01T00:00:00.000Z';
  return {
    ...{ name, readOnly, definition: { name, inputSchema }, state: 'new', fingerprint: '' },
    ...{ approved: [], changes: null, firstSeenAt: at, lastSeenAt: at },
  };
}

const needing = (property: Tool['definition']) => ({
  type: 'object',
  properties: { it: property, other: { type: 'string' } },
  required: ['it'],
});

describe('the call that a set-up suggests', () => {
  it.each([
    ['a text', { type: 'string' }, 'hello'],
    ['a number', { type: 'number' }, 1],
    ['a whole number', { type: 'integer', default: 7 }, 7],
    ['a truth value', { type: 'boolean' }, true],
    ['one of several values', { enum: ['red', 'green'] }, 'red'],
  ])('gives %s that the tool requires, and nothing else', (_, property, value) => {
    const call = sampleCallOf([tool('one', needing(property))], AT_ITS_OWN);
    expect(call).toEqual({ name: 'one', args: { it: value } });
  });

  it('prefers a tool that says it changes nothing', () => {
    const tools = [tool('delete', {}), tool('read', {}, true)];
    expect(sampleCallOf(tools, AT_ITS_OWN)?.name).toBe('read');
  });

  it('names the tool as the one URL does, and leaves out names that are cut there', () => {
    const tools = [tool('x'.repeat(60), {}), tool('search', {})];
    expect(sampleCallOf(tools, AT_ONE_URL)?.name).toBe('docs__search');
    expect(sampleCallOf(tools, { ...AT_ONE_URL, alias: '' })?.name).toBe('x'.repeat(60));
  });

  it('is absent where every tool requires what has no sample', () => {
    const tools = [
      tool('one', needing({ type: 'object' })),
      { ...tool('two', {}), definition: null },
    ];
    expect(sampleCallOf(tools, AT_ITS_OWN)).toBeUndefined();
    expect(sampleCallOf([], AT_ITS_OWN)).toBeUndefined();
  });

  it('stays text in the program and in the shell, whatever a tool is called', () => {
    const name = `'"\`\${process.exit()}$(touch x)`;
    const call = { name, args: { it: name } };
    const sdk = mcpClients.find(({ id }) => id === 'sdk');
    const at = { key: 'docs', url: 'https://a.example', clientId: undefined };
    const text = JSON.stringify(name);
    expect(sdk?.snippet({ ...at, call })).toContain(
      `callTool({ name: ${text}, arguments: {"it":${text}} })`,
    );
    const request = requestOf(modernRequest('tools/call', { name }, [['mcp-name', name]]), 1);
    expect(curlOf(at.url, request)).toContain(`'mcp-name: ${name.replace("'", `'\\''`)}'`);
  });
});
