import { createApplicationBodySchema } from '@gatehouse/contract';
import { describe, expect, it } from 'vitest';
import { isolated } from '../src/components/with-names.tsx';
import { applicationFor } from '../src/views/applications/application-for.ts';
import { keyOf, mcpClients } from '../src/views/applications/clients.ts';
import { policySentences } from '../src/views/policy-sentences.ts';

const target = { key: 'docs', url: 'https://gatehouse.example.com/mcp/a/b', clientId: undefined };

describe.each(mcpClients)('the snippet for $name', (client) => {
  it('holds the URL, and the client id where the application needs it', () => {
    expect(client.snippet(target)).toContain(target.url);
    expect(client.snippet(target)).not.toMatch(/client.?id/i);
  });

  it('comes with an application that the contract accepts', () => {
    const application = applicationFor(client);
    expect(createApplicationBodySchema.safeParse(application).error).toBeUndefined();
    expect(application.oauth.redirectUris).toEqual(client.redirectUris);
  });

  it('has a link that its client alone opens, if it has one', () => {
    const link = client.install?.({ ...target, key: 'a & "b" ü' });
    if (link !== undefined) expect(new URL(link).protocol).toMatch(/^(cursor|vscode):$/);
  });
});

describe('snippets', () => {
  it('are JSON where a client reads JSON', () => {
    const texts = mcpClients.map(({ snippet }) => snippet({ ...target, clientId: 'an-id' }));
    const objects = texts.filter((text) => text.startsWith('{'));
    expect(objects.length).toBeGreaterThan(3);
    for (const text of objects) expect(JSON.stringify(JSON.parse(text))).toContain(target.url);
  });

  it.each([
    ['Docs search', 'docs-search'],
    ['<script>; rm -rf /', 'script-rm-rf'],
    ['日本語', 'gatehouse'],
    ['-'.repeat(300), 'gatehouse'],
    ['a'.repeat(300), 'a'.repeat(40)],
  ])('name %s as a terminal takes it', (name, key) => {
    expect(keyOf(name)).toBe(key);
  });
});

describe('the sentences of a policy', () => {
  it('say who may, which tools, and how they are held', () => {
    expect(
      policySentences(
        {
          roles: ['owner', 'admin'],
          groups: ['g-1'],
          userIds: ['u-1', 'u-2'],
          tools: { allow: ['get_*'], deny: ['delete_*'], readOnly: true, pinned: 'definition' },
          resources: { allow: [] },
          limits: { perMinute: 1_200, concurrent: 5 },
        },
        (id) => `<${id}>`,
        'person',
      ),
    ).toEqual([
      `Only these may use it: everyone with the role owner, everyone with the role admin, the members of ${isolated('<g-1>')}, ${isolated('<u-1>')}, and ${isolated('<u-2>')}.`,
      `Only these tools may be used: ${isolated('get_*')}.`,
      `These tools are denied: ${isolated('delete_*')}.`,
      'Only tools that are described as read-only.',
      'Only tools that still match what an admin approved.',
      'No resources may be used.',
      'Each person may make at most 1,200 requests a minute and 5 requests at once.',
    ]);
  });

  it('say nothing where nothing is restricted, and that nobody may where a list is empty', () => {
    expect(policySentences({}, String, 'person')).toEqual([]);
    expect(policySentences({ userIds: [] }, String, 'person')).toEqual(['Nobody may use it.']);
  });
});
