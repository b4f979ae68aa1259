import { describe, it } from 'vitest';
import { apiOf } from './api.ts';
import type { CaseGroup } from './case.ts';
import { accessGraphCases } from './cases/access-graph.ts';
import { accountCases } from './cases/account.ts';
import { applicationOauthCases } from './cases/application-oauth.ts';
import { applicationCases } from './cases/applications.ts';
import { attachmentCases } from './cases/attachments.ts';
import { bodyCases } from './cases/bodies.ts';
import { connectionCases } from './cases/connections.ts';
import { conventionCases } from './cases/conventions.ts';
import { idempotencyCases } from './cases/idempotency.ts';
import { integrationOauthCases } from './cases/integration-oauth.ts';
import { integrationUpdateCases } from './cases/integration-updates.ts';
import { integrationCases } from './cases/integrations.ts';
import { paginationCases } from './cases/pagination.ts';
import { roleCases } from './cases/roles.ts';
import { sessionCases } from './cases/sessions.ts';
import { validationCases } from './cases/validations.ts';
import type { Matrix } from './matrix.ts';
import { mocksCannot } from './mocks-cannot.ts';
import type { Target } from './targets/target.ts';

/** The contract's rules, each once; they run against every target. */
export const groups: readonly CaseGroup[] = [
  conventionCases,
  bodyCases,
  roleCases,
  paginationCases,
  idempotencyCases,
  integrationCases,
  integrationUpdateCases,
  integrationOauthCases,
  connectionCases,
  validationCases,
  applicationCases,
  applicationOauthCases,
  attachmentCases,
  accessGraphCases,
  sessionCases,
  accountCases,
];

/** Declares every case as a test against one target; `target` is called once tests run. */
export function describeContract(name: string, target: () => Target, matrix: Matrix): void {
  const cannot = name.endsWith('mocks') ? mocksCannot : {};
  for (const { title, cases } of groups) {
    describe(title, () => {
      for (const { name: sentence, run } of cases) {
        if (Object.hasOwn(cannot, sentence)) {
          matrix.note(`${title}: ${sentence}`, name, 'cannot');
          continue;
        }
        it(sentence, async () => {
          const api = apiOf(target());
          matrix.note(`${title}: ${sentence}`, name, 'failed');
          await run(api);
          matrix.note(`${title}: ${sentence}`, name, { ...api.tally });
        });
      }
    });
  }
}
