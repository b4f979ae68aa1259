import { describe, it } from 'vitest';
import { type Api, apiOf } from './api.ts';
import type { CaseGroup } from './case.ts';
import { accessGraphCases } from './cases/access-graph.ts';
import { accountCases } from './cases/account.ts';
import { acrossApplicationsCases, whoHasAccessCases } from './cases/across-applications.ts';
import { aggregateCases } from './cases/aggregate.ts';
import { applicationOauthCases } from './cases/application-oauth.ts';
import { applicationCases } from './cases/applications.ts';
import { attachmentCases } from './cases/attachments.ts';
import { auditEventCases } from './cases/audit-events.ts';
import { auditOfWritesCases } from './cases/audit-of-writes.ts';
import { bodyCases } from './cases/bodies.ts';
import { connectingCases } from './cases/connecting.ts';
import { connectionTestCases } from './cases/connection-tests.ts';
import { connectionCases } from './cases/connections.ts';
import { conventionCases } from './cases/conventions.ts';
import { discoveryCases } from './cases/discovery.ts';
import { grantCases, revokeAccessCases } from './cases/grants.ts';
import { groupCases } from './cases/groups.ts';
import { handOutCases } from './cases/hand-out.ts';
import { idempotencyCases } from './cases/idempotency.ts';
import { installationCases } from './cases/installation.ts';
import { integrationOauthCases } from './cases/integration-oauth.ts';
import { integrationUpdateCases } from './cases/integration-updates.ts';
import { integrationCases } from './cases/integrations.ts';
import { listingCases } from './cases/listings.ts';
import { overviewCases } from './cases/overview.ts';
import { paginationCases } from './cases/pagination.ts';
import { policyCases } from './cases/policies.ts';
import { readOnlyFieldCases } from './cases/read-only-fields.ts';
import { roleCases } from './cases/roles.ts';
import { sessionCases } from './cases/sessions.ts';
import { toolCases } from './cases/tools.ts';
import { usageCases } from './cases/usage.ts';
import { validationCases } from './cases/validations.ts';
import { mocksCannot } from './mocks-cannot.ts';
import type { Target } from './targets/target.ts';

/** The contract's rules, each once; they run against every target. */
export const groups: readonly CaseGroup[] = [
  conventionCases,
  bodyCases,
  readOnlyFieldCases,
  roleCases,
  paginationCases,
  idempotencyCases,
  integrationCases,
  integrationUpdateCases,
  integrationOauthCases,
  connectionCases,
  connectingCases,
  connectionTestCases,
  discoveryCases,
  validationCases,
  applicationCases,
  applicationOauthCases,
  attachmentCases,
  aggregateCases,
  policyCases,
  toolCases,
  listingCases,
  accessGraphCases,
  sessionCases,
  acrossApplicationsCases,
  whoHasAccessCases,
  handOutCases,
  accountCases,
  groupCases,
  grantCases,
  revokeAccessCases,
  installationCases,
  overviewCases,
  auditEventCases,
  auditOfWritesCases,
  usageCases,
];

declare module 'vitest' {
  interface TaskMeta {
    /** Calls of a case that were made by the client under test, and those it cannot express. */
    contractCalls?: Api['tally'];
    /** Why the target cannot do what the case asks. */
    contractCannot?: string;
  }
}

/** What the refusals of each case said. */
export type Refusals = Map<string, Api['refusals']>;

/** Declares every case as a test against one target, and notes its refusals; `target` is called once tests run. */
export function describeContract(name: string, target: () => Target, refusals: Refusals): void {
  const cannot = name.endsWith('mocks') ? mocksCannot : {};
  for (const { title, cases } of groups) {
    describe(title, () => {
      for (const { name: sentence, run } of cases) {
        const reason = Object.hasOwn(cannot, sentence) ? cannot[sentence] : undefined;
        // What is listed must fail, or the list is no longer true.
        it(sentence, { fails: reason !== undefined }, async ({ task }) => {
          if (reason !== undefined) task.meta.contractCannot = reason;
          const api = apiOf(target());
          task.meta.contractCalls = api.tally;
          refusals.set(sentence, api.refusals);
          await run(api);
        });
      }
    });
  }
}
