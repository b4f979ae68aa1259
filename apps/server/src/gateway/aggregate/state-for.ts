import { type AggregateState, limits } from '@gatehouse/contract';
import { type Caller, subjectIdOf } from '../../identity/caller.ts';
import type { ListKey } from '../../mcp/methods.ts';
import type { RouteDeps } from '../admission.ts';
import type { AggregateApplications, AggregateAttachment } from './applications.ts';
import { type Access, accessTo } from './lists/access.ts';
import { gather, within } from './lists/gather.ts';
import type { LastListsOf } from './lists/last-lists.ts';
import type { AggregateLists } from './lists/lists.ts';

interface StateDeps {
  readonly applications: AggregateApplications;
  readonly lists: Pick<AggregateLists, 'lastOf'>;
  readonly callDeps: RouteDeps;
}

type IntegrationState = AggregateState['integrations'][number];
type LeftOut = AggregateState['leftOut'];
type LeftOutKind = LeftOut[number]['kind'];

/** Milliseconds in which the credential of an integration may be found. */
const DEADLINE = 3_000;

/** Credentials that are read at the same time. */
const PLACES = 32;

const KINDS: Readonly<Record<ListKey, LeftOutKind>> = {
  tools: 'tool',
  prompts: 'prompt',
  resources: 'resource',
  resourceTemplates: 'resource_template',
};

/** From bad to good: an integration is as bad as its worst list. */
const STATES = ['failed', 'late', 'stale', 'partial', 'ok'] as const;

/**
 * What the one URL of an application lists for a person, from the lists that this node has read last. No integration is
 * called.
 *
 * @throws ProblemError `not_found`
 */
export async function stateFor(
  caller: Caller,
  applicationId: string,
  { applications, lists, callDeps }: StateDeps,
): Promise<AggregateState> {
  const { attachments } = await applications.get(caller.organizationId, applicationId);
  const subjectId = subjectIdOf(caller);
  const found = await gather(attachments, PLACES, async (attachment) => {
    const kind = await inTime(accessTo({ caller }, attachment, callDeps));
    if (kind === 'hidden') return undefined;
    if (kind !== 'ready') return { integration: integrationOf(attachment, kind, {}), leftOut: [] };
    const last = lists.lastOf(attachment, subjectId);
    const integration = integrationOf(attachment, stateOf(last), last);
    return { integration, leftOut: leftOutOf(attachment, last) };
  });
  const shown = found.flatMap((one) => one ?? []);
  return {
    integrations: shown.map(({ integration }) => integration),
    leftOut: shown.flatMap(({ leftOut }) => leftOut).slice(0, limits.leftOut),
  };
}

/** A provider may take seconds to renew a credential. */
async function inTime(finding: Promise<Access>): Promise<Access['kind'] | 'late'> {
  const found = await within(finding, DEADLINE);
  // What has failed is no late one.
  return (found ?? (await Promise.race([finding, undefined])))?.kind ?? 'late';
}

function integrationOf(
  { integrationId, alias }: AggregateAttachment,
  state: IntegrationState['state'],
  last: LastListsOf,
): IntegrationState {
  const countOf = (list: ListKey): number => last[list]?.count ?? 0;
  const counts = {
    tools: countOf('tools'),
    prompts: countOf('prompts'),
    resources: countOf('resources'),
    resourceTemplates: countOf('resourceTemplates'),
  };
  return { id: integrationId, alias, state, counts };
}

function stateOf(last: LastListsOf): IntegrationState['state'] {
  const states = new Set(Object.values(last).map(({ state }) => state));
  return STATES.find((state) => states.has(state)) ?? 'unread';
}

function leftOutOf({ integrationId }: AggregateAttachment, last: LastListsOf): LeftOut {
  return (Object.entries(KINDS) as [ListKey, LeftOutKind][]).flatMap(([list, kind]) =>
    (last[list]?.leftOut ?? []).map(({ name, reason }) => ({ integrationId, kind, name, reason })),
  );
}
