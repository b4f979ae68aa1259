import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { mcpClients } from '../src/views/applications/clients.ts';

const folder = new URL('../../../docs/clients/', import.meta.url);
const TARGET = {
  key: 'gatehouse',
  url: 'https://gatehouse.example.com/mcp/0199…',
  call: { name: 'docs__search', args: { query: 'refunds' } },
};
const BLOCK = /(<!-- client: ([\w-]+)(, with a client id)? -->\n```\w+\n)([\s\S]*?)```/g;

const blocks = readdirSync(folder)
  .filter((page) => page.endsWith('.md'))
  .flatMap((page) =>
    [...readFileSync(new URL(page, folder), 'utf8').matchAll(BLOCK)].map(
      ([, , id = '', more = '', shown = '']) => ({ page, id, more, shown }),
    ),
  );

function snippetOf(id: string, more: string): string {
  const client = mcpClients.find((each) => each.id === id);
  if (client === undefined) throw new Error(`There is no client ${id}.`);
  const clientId = more === '' ? undefined : '<client id>';
  return `${client.snippet({ ...TARGET, clientId })}\n`;
}

function rewrite(page: string): void {
  const file = new URL(page, folder);
  const text = readFileSync(file, 'utf8').replaceAll(
    BLOCK,
    (_, before: string, id: string, more = '') => `${before}${snippetOf(id, more)}\`\`\``,
  );
  writeFileSync(file, text);
}

describe('the pages about clients show what the console shows', () => {
  it.each(blocks.map((block) => [`${block.page}${block.more}`, block] as const))(
    '%s',
    (_, { page, id, more, shown }) => {
      if (process.env.UPDATE_DOCS) rewrite(page);
      else expect(shown).toBe(snippetOf(id, more));
    },
  );

  it('for each client', () => {
    const shown = new Set(blocks.map(({ id }) => id));
    expect(mcpClients.map(({ id }) => id).filter((id) => !shown.has(id))).toEqual([]);
  });
});
