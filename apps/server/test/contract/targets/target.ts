import type { JsonObject, UsageOutcome } from '@gatehouse/contract';

/** The owner of the token that a call carries; `null` for no token. */
export type As = 'owner' | 'admin' | 'member' | 'stranger' | { readonly token: string } | null;

export interface CallOptions {
  /** @defaultValue 'owner' */
  readonly as?: As;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as it is, in place of `body`. */
  readonly raw?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A request as every client gets it. */
export interface Call {
  readonly method: string;
  /** Relative to `/api/v1`, with the query. */
  readonly path: string;
  readonly token: string | null;
  readonly body: unknown;
  readonly raw: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** `undefined` if there is no body. */
  // biome-ignore lint/suspicious/noExplicitAny: tests state what they expect of a body
  readonly body: any;
}

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** A Gatehouse, real or mocked. */
export interface Service {
  readonly name: 'server' | 'mocks';
  /** Ends in `/api/v1`. */
  readonly baseUrl: string;
  /** `stranger` owns another organization. */
  readonly tokens: Readonly<Record<'owner' | 'admin' | 'member' | 'stranger', string>>;
  /** An MCP endpoint that takes `token` alone. */
  readonly upstream: { readonly url: string; readonly token: string };
  readonly fetch: Fetch;
  /** An open session of the owner, last active this many milliseconds ago. */
  addSession(session: NewSession): Promise<string>;
  /** What a consent would leave: a grant with two tokens, and the consent if it is kept; its id. */
  addGrant(grant: NewGrant): Promise<string>;
  /** An access token of the application’s own client, with the scopes `mcp` and `credentials`. */
  addAccessToken(token: NewAccessToken): Promise<string>;
  /** Members of the stranger's organization. */
  addMembers(count: number): Promise<unknown>;
  /** A definition of a tool that was just seen. */
  addTool(tool: NewTool): Promise<unknown>;
  /** Calls through the gateway that went alike. */
  addCalls(calls: NewCalls): Promise<unknown>;
  /** What a validation just listed beside tools. */
  addListing(listing: NewListing): Promise<unknown>;
  close(): Promise<unknown>;
}

export interface NewAccessToken {
  readonly applicationId: string;
  /** Null for the application itself. */
  readonly userId: string | null;
  readonly scopes?: readonly string[];
}

export interface NewGrant {
  readonly applicationId: string;
  readonly userId: string;
  /** The application's own by default. */
  readonly clientId?: string;
  readonly redirectUri?: string;
  readonly resources?: readonly string[];
  readonly scopes?: readonly string[];
  readonly isConsentKept?: boolean;
}

export interface NewTool {
  readonly integrationId: string;
  readonly name: string;
  readonly fingerprint: string;
  readonly definition?: JsonObject | null;
  readonly readOnly?: boolean;
}

export interface NewCalls {
  readonly applicationId: string;
  readonly integrationId: string;
  readonly userId: string;
  readonly tool?: string;
  readonly outcome?: UsageOutcome;
  readonly count?: number;
  readonly ms?: number;
  /** RFC 3339. */
  readonly at: string;
}

export interface NewListing {
  readonly integrationId: string;
  readonly kind: 'prompt' | 'resource' | 'resource_template';
  readonly key: string;
  readonly definition: JsonObject | null;
}

export interface NewSession {
  readonly applicationId: string;
  readonly integrationId: string;
  readonly silentFor?: number;
  readonly era?: 'legacy' | 'modern';
  /** The grant that is active in it. */
  readonly grantId?: string;
  readonly userId?: string;
}

/** Makes a call its own way; `undefined` for one that it has no way to express. */
export type Client = (call: Call) => Promise<Answer> | undefined;

export interface Target {
  /** `<client> → <service>`. */
  readonly name: string;
  readonly service: Service;
  readonly client: Client;
}
