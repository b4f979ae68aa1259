import type { AuditVerification, IntegrationPolicy, Policy, Revocation } from '@gatehouse/contract';
import { type Cursors, createCursors } from './cursors.ts';
import { createIdSource, type NewId } from './ids.ts';
import type { ConnectOutcome, MockDiscovery, MockValidation } from './outcomes.ts';
import type { StoredResult } from './results.ts';
import type {
  AccessTokenRow,
  ApplicationRow,
  AttachmentRow,
  AuditEventRow,
  ConnectionRow,
  ConnectLinkRow,
  GrantRow,
  GroupRow,
  IntegrationRow,
  LeaseRow,
  ListedEntryRow,
  NodeRow,
  OrganizationRow,
  SessionRow,
  TokenRow,
  ToolDefinitionRow,
  UsedCallsRow,
  UserRow,
} from './rows.ts';

/** The data of a mock Gatehouse. Rows are replaced, never changed in place. */
export interface State {
  readonly organizations: Map<string, OrganizationRow>;
  readonly users: Map<string, UserRow>;
  readonly groups: Map<string, GroupRow>;
  readonly tokens: Map<string, TokenRow>;
  readonly integrations: Map<string, IntegrationRow>;
  /** By `<integration id>:<user id>`. */
  readonly connections: Map<string, ConnectionRow>;
  /** What became of the OAuth grants that were disconnected last, by the same key. */
  readonly revocations: Map<string, Revocation>;
  /** By their secret. */
  readonly connectLinks: Map<string, ConnectLinkRow>;
  readonly applications: Map<string, ApplicationRow>;
  readonly attachments: Map<string, AttachmentRow>;
  /** By the id of the attachment. */
  readonly attachmentPolicies: Map<string, Policy>;
  /** By the id of the integration. */
  readonly integrationPolicies: Map<string, IntegrationPolicy>;
  /** By {@link toolKey}. */
  readonly toolDefinitions: Map<string, ToolDefinitionRow>;
  /** By {@link listedKey}. */
  readonly listedEntries: Map<string, ListedEntryRow>;
  readonly sessions: Map<string, SessionRow>;
  readonly leases: Map<string, LeaseRow>;
  readonly grants: Map<string, GrantRow>;
  /** Calls that have been counted. */
  readonly usedCalls: UsedCallsRow[];
  /** By the token. */
  readonly accessTokens: Map<string, AccessTokenRow>;
  /** The one that answers first. */
  readonly nodes: Map<string, NodeRow>;
  /** By their id, in the order of recording. */
  readonly auditEvents: Map<string, AuditEventRow>;
  /** When someone last left an event by reading events, by reader and filter. */
  readonly auditReadings: Map<string, number>;
  /** The last one; null before it. */
  auditVerification: AuditVerification | null;
  readonly results: Map<string, StoredResult>;
  /** Outcomes of validation that a test has set, by integration. */
  readonly outcomes: Map<string, MockValidation>;
  /** Results of testing a connection that a test has set, by integration. */
  readonly connectionTests: Map<string, MockValidation>;
  /** Results of looking at a URL that a test has set, by URL. */
  readonly discoveries: Map<string, MockDiscovery>;
  /** What opening a link does, as a test has set it, by integration. */
  readonly connectOutcomes: Map<string, ConnectOutcome>;
  readonly cursors: Cursors;
  createId(): NewId;
}

export function createState(): State {
  return {
    organizations: new Map(),
    users: new Map(),
    groups: new Map(),
    tokens: new Map(),
    integrations: new Map(),
    connections: new Map(),
    revocations: new Map(),
    connectLinks: new Map(),
    applications: new Map(),
    attachments: new Map(),
    attachmentPolicies: new Map(),
    integrationPolicies: new Map(),
    toolDefinitions: new Map(),
    listedEntries: new Map(),
    sessions: new Map(),
    leases: new Map(),
    grants: new Map(),
    usedCalls: [],
    accessTokens: new Map(),
    nodes: new Map(),
    auditEvents: new Map(),
    auditReadings: new Map(),
    auditVerification: null,
    results: new Map(),
    outcomes: new Map(),
    connectionTests: new Map(),
    discoveries: new Map(),
    connectOutcomes: new Map(),
    cursors: createCursors(),
    createId: createIdSource(),
  };
}

/** The key of a user's connection to an integration. */
export function connectionKey(integrationId: string, userId: string): string {
  return `${integrationId}:${userId}`;
}

/** The key of a definition of a tool. */
export function toolKey({
  integrationId,
  name,
  fingerprint,
}: Pick<ToolDefinitionRow, 'integrationId' | 'name' | 'fingerprint'>): string {
  return JSON.stringify([integrationId, name, fingerprint]);
}

/** The key of a prompt, a resource or a template, in the order of lists. */
export function listedKey({
  integrationId,
  kind,
  key,
}: Pick<ListedEntryRow, 'integrationId' | 'kind' | 'key'>): string {
  return `${integrationId} ${kind} ${key}`;
}
