import type { Open } from './open.ts';

/**
 * A node that runs.
 */
export interface InstallationNode {
  /** UUID. */
  id: string;
  /** Its host and process. */
  name: string;
  /** The version of Gatehouse that it runs. */
  version: string;
  /** ISO 8601. */
  startedAt: string;
  /** ISO 8601. Nodes report every 15 seconds. */
  lastSeenAt: string;
  /** Whether it is the node that sent this response. */
  answering: boolean;
}

/**
 * An encryption key that the answering node has loaded, without the key.
 */
export interface InstallationKey {
  id: string;
  /** Whether new secrets are sealed with it. */
  active: boolean;
  /** ISO 8601. `null` for a key that is older than this record. */
  addedAt: string | null;
}

/**
 * A limit that a setting changes.
 */
export interface InstallationLimit {
  name: Open<
    | 'managementRequests'
    | 'sessionActive'
    | 'sessionLegacy'
    | 'sessionModern'
    | 'auditCalls'
    | 'auditChanges'
    | 'usage'
  >;
  /** For requests, 0 is no limit. */
  value: number;
  unit: Open<'requests_per_minute' | 'milliseconds'>;
}

/**
 * Where a part of the installation is changed.
 */
export interface InstallationSetting {
  /** What of the installation it changes. */
  name: Open<
    | 'versions'
    | 'publicUrl'
    | 'logLevel'
    | 'store'
    | 'nodes'
    | 'keys'
    | 'passwordSignIn'
    | 'provider'
    | 'groupsClaim'
    | 'managementRequests'
    | 'sessionActive'
    | 'sessionLegacy'
    | 'sessionModern'
    | 'auditCalls'
    | 'auditChanges'
    | 'usage'
  >;
  /** The environment variable; `null` where no variable changes it. */
  variable: string | null;
  /** A path below the documentation. */
  page: string;
}

/**
 * What an installation runs with. It holds no secret.
 */
export interface Installation {
  versions: {
    /** Of the answering node. */
    gatehouse: string;
    /** The commit that it was built of; null where that is not known. */
    build: { commit: string; committedAt: string } | null;
    /** Of Node.js. */
    node: string;
  };
  /** The origin that clients use. */
  publicUrl: string;
  /** The lowest severity that the answering node logs. */
  logLevel: string;
  store: {
    kind: Open<'embedded' | 'postgresql'>;
    /** Of PostgreSQL, also of the embedded one. */
    version: string;
  };
  /** Those that run, at most 1,000. */
  nodes: InstallationNode[];
  keys: {
    /** The file of the data directory, or the environment of each node. */
    source: Open<'file' | 'environment'>;
    /** The active one first. */
    encryption: InstallationKey[];
  };
  signIn: {
    ways: Open<'password' | 'link' | 'provider'>[];
    /** Of the provider; `null` without one. */
    issuer: string | null;
    /** Whether a claim of the provider decides who is in which group. */
    groupsClaim: boolean;
  };
  limits: InstallationLimit[];
  settings: InstallationSetting[];
}

/**
 * The response of `GET /installation`.
 */
export interface InstallationResponse {
  installation: Installation;
}
