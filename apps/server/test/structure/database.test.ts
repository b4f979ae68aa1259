import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { filesIn } from './imports.ts';

const source = fileURLToPath(new URL('../../src/', import.meta.url));

/** Folders that are built of rows: any of their files may send a statement. */
const DOMAINS =
  /^(audit|authorization-server|catalogue|credentials|eras|identity|limits|policy|sessions|usage|vault)\//;

const STATEMENT =
  /\$(queryRaw|executeRaw)|\bdb\s*\.\s*[a-z]\w*\s*\.\s*(find|create|update|delete|count|upsert|aggregate|groupBy)/;

const speakers = filesIn(source)
  .filter((file) => STATEMENT.test(readFileSync(file, 'utf8')))
  .map((file) => file.slice(source.length))
  .filter((file) => !DOMAINS.test(file));

it('in the resources, statements to the database are in repositories and in files named for one kind of them', () => {
  const others = speakers.filter((file) => /^resources\/(?!.*repository\.ts$)/.test(file));
  expect(others).toEqual([
    'resources/access-graph/application-pages.ts',
    'resources/access-graph/tools/catalogue.ts',
    'resources/access-graph/tools/tool-rules.ts',
    'resources/groups/policy-uses.ts',
    'resources/integrations/name-filter.ts',
    'resources/integrations/revalidation/schedule.ts',
    'resources/integrations/validate-after-connecting.ts',
    'resources/overview/own-connections.ts',
  ]);
});

it('outside the domains and the resources, these files alone send statements to the database', () => {
  expect(speakers.filter((file) => !/^(resources|platform)\//.test(file))).toEqual([
    'bootstrap.ts',
    'connect/find-connectable.ts',
    'connect/list-page.ts',
    'console/gateway-access.ts',
    'control/keys.ts',
    'control/requests/keys.ts',
    'gateway/aggregate/applications.ts',
    'gateway/routes.ts',
    'housekeeping.ts',
    'http/stored-responses.ts',
    'sign-in/external/attempts.ts',
  ]);
});
