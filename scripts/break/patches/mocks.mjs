import { suiteTest } from '../places.mjs';

const SRC = 'packages/mocks/src';

export const mocksPatches = [
  {
    name: 'mocks-show-foreign-rows',
    means: 'The mocks answer 200 where the server says 404.',
    file: `${SRC}/rules/integrations.ts`,
    search: 'if (integration?.organizationId === actor.organizationId) return integration;',
    replace: 'if (integration) return integration;',
    test: suiteTest(
      'mocks',
      'Roles, scopes and organizations > nothing of another organization is there',
    ),
  },
  {
    name: 'mocks-skip-if-match',
    means: 'A program that loses updates passes its tests against the mocks.',
    file: `${SRC}/http/etag.ts`,
    search: "if (header === null || header.trim() === '*') return;",
    replace: 'if (header !== undefined) return;',
    test: suiteTest(
      'mocks',
      'Changes of integrations > make a new version, and If-Match holds only for the present one',
    ),
  },
  {
    name: 'mocks-forget-keys',
    means: 'A program without idempotency keys cannot be told from one with them.',
    file: `${SRC}/http/idempotency.ts`,
    search: `  if (earlier && earlier.createdAt > Date.now() - lifetimes.idempotencyKey)
    return replay(earlier, text);
`,
    replace: '',
    test: suiteTest(
      'mocks',
      'Idempotency keys > the same call again answers the same, headers included',
    ),
  },
  {
    name: 'mocks-write-archived-rows',
    means: 'The mocks change archived integrations, which the server refuses.',
    file: `${SRC}/rules/integrations.ts`,
    search: '  if (archivedAt === null) return;\n',
    replace: '  if (archivedAt !== undefined) return;\n',
    test: suiteTest(
      'mocks',
      'Integrations > that are archived refuse writes but those that empty them',
    ),
  },
];
