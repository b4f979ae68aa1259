import type { Db } from '../../../platform/database/store.ts';
import { findInParts } from '../in-parts.ts';
import {
  type ApplicationNode,
  findApplicationNodes,
  findIntegrationNodes,
  listCredentialFacts,
} from '../repository.ts';
import { isCredentialOnly, staticReasonsOf } from '../static-reasons.ts';
import type { Draft } from './draft.ts';
import type { Pair } from './pair.ts';

interface Usable {
  /** Whether nothing is in the way for everyone. */
  (pair: Pair): { readonly before: boolean; readonly after: boolean };
  /** Whether the gateway calls it, so that its tools matter. */
  readonly isProxied: (pair: Pair) => boolean;
}

/** Rows of one statement. */
const PART = 500;

/** Reads what keeps everyone out of pairs. */
export async function readUsable(
  db: Db,
  organizationId: string,
  pairs: readonly Pair[],
  draft: Draft,
): Promise<Usable> {
  const distinct = (ids: readonly string[]) => [...new Set(ids)];
  const applicationIds = distinct(pairs.map(({ applicationId }) => applicationId));
  const integrationIds = distinct(pairs.map(({ integrationId }) => integrationId));
  const applications = byId(
    await findInParts(applicationIds, (ids) => findApplicationNodes(db, organizationId, ids), PART),
  );
  const integrations = byId(
    await findInParts(integrationIds, (ids) => findIntegrationNodes(db, organizationId, ids), PART),
  );
  const facts = byId(
    await findInParts(integrationIds, (ids) => listCredentialFacts(db, organizationId, ids), PART),
  );
  const isFree = (
    pair: Pair,
    at: <Row extends ApplicationNode | IntegrationRow>(row: Row) => Row,
  ) => {
    const application = applications.get(pair.applicationId);
    const integration = integrations.get(pair.integrationId);
    const fact = facts.get(pair.integrationId);
    if (!application || !integration || !fact) return false;
    return staticReasonsOf(at(application), at(integration), fact).length === 0;
  };
  const usable = (pair: Pair) => ({
    before: isFree(pair, (row) => row),
    after: isFree(pair, (row) => draft.archivedAt(row)),
  });
  const isProxied = ({ integrationId }: Pair) => {
    const integration = integrations.get(integrationId);
    return integration !== undefined && !isCredentialOnly(integration);
  };
  return Object.assign(usable, { isProxied });
}

type IntegrationRow = Awaited<ReturnType<typeof findIntegrationNodes>>[number];

function byId<Row extends { readonly id: string }>(rows: readonly Row[]): Map<string, Row> {
  return new Map(rows.map((row) => [row.id, row]));
}
