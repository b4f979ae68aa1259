import type { EndedSessions, SessionWithNames } from './session.ts';

/**
 * The newest of a list, at most 20, and how many there are.
 */
export interface Newest<Item> {
  total: number;
  items: Item[];
}

/**
 * A row by its name.
 */
export interface NamedRow {
  id: string;
  name: string;
}

/**
 * An application that a member owns.
 */
export interface OwnedApplication extends NamedRow {
  /** It has a secret that the member may know. */
  clientSecretConfigured: boolean;
}

/**
 * A policy with rules that name a member.
 */
export interface NamingPolicy {
  integrationId: string;
  integrationName: string;
  /** `null` for the rules of the integration, else of its attachment to this application. */
  applicationId: string | null;
  applicationName: string | null;
}

/**
 * What a member has. When they are removed, all of it ends but the applications and the rules.
 */
export interface MemberAccess {
  /** Integrations that they have connected. */
  connections: Newest<NamedRow>;
  /** Personal access tokens and invitations. */
  tokens: Newest<NamedRow>;
  /** What they have allowed clients to do, with the name of the client or its application. */
  grants: Newest<NamedRow>;
  /** Access and refresh tokens of these grants. */
  grantTokens: number;
  /** Remembered consents. */
  consents: number;
  /** Open sessions and leases, at most 10,000 of each counted. */
  sessions: EndedSessions;
  /** The newest of these, at most 20. */
  recentSessions: SessionWithNames[];
  groups: Newest<NamedRow>;
  /** Those that are not archived. */
  applications: Newest<OwnedApplication>;
  rules: Newest<NamingPolicy>;
}

/**
 * The response of `GET /members/:id/access`.
 */
export interface MemberAccessResponse {
  access: MemberAccess;
}
