import type { ValidateIntegrationResponse } from '@gatehouse/contract';
import { type Cursors, createCursors } from './cursors.ts';
import { createIdSource, type NewId } from './ids.ts';
import type { StoredResult } from './results.ts';
import type {
  ApplicationRow,
  AttachmentRow,
  ConnectionRow,
  GrantRow,
  IntegrationRow,
  OrganizationRow,
  SessionRow,
  TokenRow,
  UserRow,
} from './rows.ts';

/** The data of a mock Gatehouse. Rows are replaced, never changed in place. */
export interface State {
  readonly organizations: Map<string, OrganizationRow>;
  readonly users: Map<string, UserRow>;
  readonly tokens: Map<string, TokenRow>;
  readonly integrations: Map<string, IntegrationRow>;
  /** By `<integration id>:<user id>`. */
  readonly connections: Map<string, ConnectionRow>;
  readonly applications: Map<string, ApplicationRow>;
  readonly attachments: Map<string, AttachmentRow>;
  readonly sessions: Map<string, SessionRow>;
  readonly grants: Map<string, GrantRow>;
  readonly results: Map<string, StoredResult>;
  /** Outcomes of validation that a test has set, by integration. */
  readonly outcomes: Map<string, ValidateIntegrationResponse>;
  readonly cursors: Cursors;
  createId(): NewId;
}

export function createState(): State {
  return {
    organizations: new Map(),
    users: new Map(),
    tokens: new Map(),
    integrations: new Map(),
    connections: new Map(),
    applications: new Map(),
    attachments: new Map(),
    sessions: new Map(),
    grants: new Map(),
    results: new Map(),
    outcomes: new Map(),
    cursors: createCursors(),
    createId: createIdSource(),
  };
}

/** The key of a user's connection to an integration. */
export function connectionKey(integrationId: string, userId: string): string {
  return `${integrationId}:${userId}`;
}
