import type { FixtureListing, MockGatehouse } from '@gatehouse/mocks';

/** Prompts and resources, as a validation has listed them. */
export function seedListings({ fixtures }: MockGatehouse, integrationId: string): void {
  const add = (listing: Omit<FixtureListing, 'integrationId'>) =>
    fixtures.addListing({ integrationId, ...listing });
  add({
    kind: 'prompt',
    key: 'triage',
    definition: {
      name: 'triage',
      title: 'Triage',
      description: 'Sorts new issues by what they are about.',
      arguments: [{ name: 'repository', description: 'Of which the issues are.', required: true }],
    },
  });
  add({
    kind: 'prompt',
    key: '<img src=x onerror=alert(3)>',
    definition: { description: '</pre><script>alert(4)</script>' },
  });
  add({
    kind: 'resource',
    key: 'repo://docs/README.md',
    definition: { name: 'README', mimeType: 'text/markdown', description: 'How to begin.' },
  });
  add({
    kind: 'resource_template',
    key: 'repo://{owner}/{path}',
    definition: { name: 'A file of a repository', mimeType: 'text/plain' },
  });
}
