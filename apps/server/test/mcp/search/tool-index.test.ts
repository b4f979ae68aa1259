import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ToolIndex } from '../../../src/mcp/search/tool-index.ts';
import { toolTextOf } from '../../../src/mcp/search/tool-text.ts';

const tool = (name: string, fields: object = {}) =>
  toolTextOf(name, Buffer.from(JSON.stringify({ name, ...fields })));

const TOOLS = [
  tool('github__create_issue', { description: 'Opens a new issue in a repository.' }),
  tool('github__list_issues', {
    description: 'Lists the issues of a repository, the newest first.',
  }),
  tool('github__merge_pull_request', { description: 'Merges a pull request.' }),
  tool('mail__send', { title: 'Send a message', description: 'Sends an email to people.' }),
  tool('mail__find', {
    description: 'Finds emails.',
    inputSchema: { type: 'object', properties: { subject: {}, sentAfter: {} } },
  }),
  tool('calendar__add', { description: 'Adds a meeting, and tells people by email.' }),
];

function indexOf(tools: readonly ReturnType<typeof tool>[]): ToolIndex {
  const index = new ToolIndex();
  for (const text of tools) index.add(text);
  return index;
}

const index = indexOf(TOOLS);
const all = () => true;
const found = (query: string, limit = 20) =>
  index.search(query, limit, all).map((position) => TOOLS[position]?.name);

describe('a search', () => {
  it.each([
    ['create an issue', 'github__create_issue'],
    ['list issues', 'github__list_issues'],
    ['createIssue', 'github__create_issue'],
    ['send an email', 'mail__send'],
    ['SEND MESSAGE', 'mail__send'],
    ['subject of a mail', 'mail__find'],
    ['sent after', 'mail__find'],
    ['meetings', 'calendar__add'],
    ['github__merge_pull_request', 'github__merge_pull_request'],
  ])('for “%s” finds %s first', (query, name) => {
    expect(found(query)[0]).toBe(name);
  });

  it('finds a word in a name before the same word in a description', () => {
    const both = indexOf([
      tool('one_alpha', { description: 'beta' }),
      tool('one_beta', { description: 'alpha' }),
    ]);
    expect(both.search('beta', 2, all)).toEqual([1, 0]);
  });

  it('finds a short text before a long one that has the same word', () => {
    const description = `beta ${'other words '.repeat(50)}`;
    const both = indexOf([tool('a', { description }), tool('b', { description: 'beta' })]);
    expect(both.search('beta', 2, all)).toEqual([1, 0]);
  });

  it('finds longer words by their beginning, of three characters at least', () => {
    expect(found('repo')).toEqual(
      expect.arrayContaining(['github__create_issue', 'github__list_issues']),
    );
    expect(found('re')).toEqual([]);
  });

  it('prefers a whole word to the beginning of another', () => {
    const both = indexOf([tool('a', { title: 'reports' }), tool('b', { title: 'rep' })]);
    expect(both.search('rep', 2, all)).toEqual([1, 0]);
  });

  it('finds nothing for words that are nowhere, and for no words', () => {
    expect(found('xylophone')).toEqual([]);
    expect(found('…')).toEqual([]);
    expect(new ToolIndex().search('a', 5, all)).toEqual([]);
  });

  it('finds as many as are wanted, of those that are wanted', () => {
    expect(found('email', 1)).toHaveLength(1);
    expect(index.search('email', 20, (position) => position === 5)).toEqual([5]);
  });

  it('keeps the order of the list for those that fit alike', () => {
    const alike = indexOf([tool('a_x'), tool('b_x'), tool('c_x')]);
    expect(alike.search('x', 3, all)).toEqual([0, 1, 2]);
  });

  it('finds every tool by its own name', () => {
    const name = fc.stringMatching(/^[a-z]{3,8}(_[a-z]{3,8}){0,3}$/);
    fc.assert(
      fc.property(fc.uniqueArray(name, { minLength: 1, maxLength: 30 }), (names) => {
        const many = indexOf(names.map((one) => tool(one)));
        for (const [position, one] of names.entries()) {
          expect(many.search(one, names.length, all)).toContain(position);
        }
      }),
    );
  });
});

describe('the text of a tool', () => {
  it('is what it is called, what it says and what its parameters are called', () => {
    const inputSchema = { properties: { repoName: { description: 'hidden' }, page: {} } };
    expect(tool('a', { title: 'T', description: 'D', inputSchema, other: 'hidden' })).toEqual({
      name: 'a',
      title: 'T',
      description: 'D',
      parameters: 'repoName page',
    });
    expect(tool('a', { annotations: { title: 'T' } }).title).toBe('T');
  });

  it('takes anything for nothing that it should not be', () => {
    const nothing = { name: 'a', title: '', description: '', parameters: '' };
    expect(tool('a', { title: 1, description: [], inputSchema: 'x' })).toEqual(nothing);
    expect(tool('a', { inputSchema: { properties: null } })).toEqual(nothing);
  });

  it('has bounds', () => {
    const text = tool('a', { description: 'd'.repeat(100_000) });
    expect(text.description).toHaveLength(2_000);
    const properties = Object.fromEntries(Array.from({ length: 9_000 }, (_, i) => [`p${i}`, {}]));
    expect(tool('a', { inputSchema: { properties } }).parameters.split(' ')).toHaveLength(100);
    expect(tool('a', { description: 'd'.repeat(300_000) }).description).toBe('');
  });
});
