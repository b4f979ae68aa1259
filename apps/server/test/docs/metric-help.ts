import { routes } from '@gatehouse/contract';
import type { ConsentOutcome } from '../../src/authorization-server/consent/decision.ts';
import type { ConnectOutcome } from '../../src/connect-forms/metrics.ts';
import type { Unreadable } from '../../src/credentials/modes/mode.ts';
import type { RefreshOutcome } from '../../src/credentials/oauth/refresh/refresher.ts';
import type { RevocationOutcome } from '../../src/credentials/oauth/revocation/outbox.ts';
import type { CallOutcome } from '../../src/gateway/call-record.ts';
import type { IntegrationResult } from '../../src/gateway/integration-metrics.ts';
import type { LimitLevel } from '../../src/limits/levels.ts';
import type { DroppedMessage } from '../../src/mcp/awaited-messages.ts';
import type { Era } from '../../src/mcp/era.ts';
import type { SignInOutcome, SignInWay } from '../../src/sign-in/metrics.ts';

/** What the page of metrics says of each value of a label. */
export type LabelHelp = Readonly<Record<string, string>> | ManyValues;

/** A label with more values than the page can explain. */
export interface ManyValues {
  readonly values: readonly string[];
  /** Of values that the list only describes. */
  readonly pattern?: RegExp;
}

export interface MetricHelp {
  readonly labels?: Readonly<Record<string, LabelHelp>>;
  /** What to look at when it is not as usual. Markdown. */
  readonly odd: string;
}

const ERA: Record<Era, string> = {
  legacy: 'MCP up to 2025-11-25',
  modern: 'MCP 2026-07-28',
};

const DROPPED: Record<DroppedMessage, string> = {
  response: 'a response to a request that the call does not carry, or a second one',
  progress: 'progress of another request',
  unreadable: 'a message that clients may read differently',
};

const OUTCOME: Record<CallOutcome, string> = {
  relayed: 'the response of the MCP server was sent to its end, whatever its status',
  refused: 'Gatehouse answered with a problem, or to a CORS preflight',
  policy: 'a rule does not allow it, or Gatehouse cannot read it to apply the rules',
  limited: 'a limit is used up, or Gatehouse cannot read it to count its requests',
  credential: 'there was no usable credential, or the MCP server did not accept it',
  connect: 'Gatehouse answered in place of the MCP server: the person has to connect first',
  upstream_failed: 'the MCP server was not reached, broke the connection, or redirected',
  too_large: 'a body was over its limit',
  deadline: 'it took more than 10 minutes',
  client_left: 'the client closed the connection first',
  cut: 'ended by Gatehouse: revoked while open, or shutting down',
};

const STATUS_CLASS = {
  none: 'no response was begun',
  '2xx': 'success',
  '3xx': 'never relayed',
  '4xx': 'refused',
  '5xx': 'failed',
};

const RESULT: Record<IntegrationResult, string> = {
  ok: 'anything but the others, also what its client or a shutdown has ended',
  refused: 'Gatehouse itself refused it, such as for a database that is away',
  credential: 'there was no usable credential, or the MCP server did not accept it',
  failed: 'the MCP server was not reached, failed with 5xx, took too long or sent too much',
};

const LIMIT_LEVEL: Record<LimitLevel, string> = {
  person: 'of one person at an attachment, or of an application that acts for itself',
  application: 'of all callers of an application',
  integration: 'of all callers of an integration',
};

const LIMIT_KIND = {
  per_minute: 'requests in a minute',
  concurrent: 'requests in progress',
};

const REFRESH: Record<RefreshOutcome, string> = {
  refreshed: 'new tokens were stored',
  transient: 'the provider did not answer as it should; it is tried again',
  needs_user: 'the provider accepts the grant no more; the person has to connect again',
  misconfigured: 'an admin has to mend something, here or at the provider',
  lost: 'there were new tokens, and they could not be stored',
};

const REVOCATION: Record<RevocationOutcome, string> = {
  revoked: 'the provider has revoked the tokens',
  not_supported: 'the provider has no way to revoke tokens',
  failed: 'given up after an hour of attempts',
};

const UNREADABLE: Record<Unreadable['unreadable'], string> = {
  key_not_loaded: 'this node does not have its encryption key',
  decryption_failed: 'the stored value was changed, or moved to another row',
};

const WAY: Record<SignInWay, string> = {
  password: 'by email and password',
  link: 'by an invitation, a reset or a sign-in link',
  provider: 'at the OpenID provider',
};

const SIGN_IN: Record<SignInOutcome, string> = {
  signed_in: 'the person is signed in',
  refused:
    'a wrong password, a link that does not work, a provider that does not work, or a person whom it does not vouch for',
};

const CONSENT: Record<ConsentOutcome, string> = {
  allowed: 'the person has pressed “allow”',
  remembered: 'allowed before, so nobody was asked',
  denied: 'the person has pressed “deny”',
};

const CONNECT: Record<ConnectOutcome, string> = {
  connected: 'the account is connected',
  changed: 'the integration was changed meanwhile',
  client_gone: 'the provider has forgotten Gatehouse, which registers again',
  denied: 'the person did not agree at the provider',
  failed: 'anything else; the log has a code',
};

const OPERATIONS = Object.entries(routes).flatMap(([resource, operations]) =>
  Object.keys(operations).map((operation) => `${resource}.${operation}`),
);

/** Of the metrics that are Gatehouse's own. A new metric needs an entry. */
const INTEGRATION: LabelHelp = {
  values: [
    'the id of an integration, for the first 200 that this node has been called for since its start',
    'other',
  ],
  pattern: /^[0-9a-f-]{36}$/,
};

export const METRIC_HELP: Readonly<Record<string, MetricHelp>> = {
  gatehouse_build_info: {
    labels: {
      version: { values: ['the version, such as `0.1.0`'], pattern: /^\d+\.\d+\.\d+/ },
      commit: { values: ['the commit that it was built of', 'unknown'], pattern: /^[0-9a-f]{7,}/ },
    },
    odd: 'Nodes with different versions are right during an [upgrade](upgrade.md) alone: `count by (version, commit) (gatehouse_build_info)`.',
  },
  gatehouse_ready: {
    odd: 'While a node is stopping, 0 is right. Otherwise its database is away or read-only: see [nobody gets through](troubleshooting.md#nobody-gets-through). A full database is no reason: it still takes some writes.',
  },
  gatehouse_gateway_calls_total: {
    labels: { outcome: OUTCOME, era: ERA, status: STATUS_CLASS },
    odd: 'Many `upstream_failed`: validate the integrations that the lines `upstream failed` of the log name. Many `credential`: people have to connect again, or a server token has been revoked. `relayed` with `5xx` is the MCP server’s own failure. Many `refused` with `4xx`: clients with tokens that have ended.',
  },
  gatehouse_gateway_streams_total: {
    labels: { outcome: OUTCOME, era: ERA, status: STATUS_CLASS },
    odd: 'Streams end with `client_left`, or with `cut` at a shutdown. Many `relayed` with `2xx`: MCP servers, or proxies before them, end streams early. Many with `4xx` are normal: servers without such streams, and people with more than 64 open ones.',
  },
  gatehouse_integration_calls_total: {
    labels: {
      integration: INTEGRATION,
      result: RESULT,
    },
    odd: 'One integration with many `failed`: [validate it](validate.md). All of them at once: the network or the name server of the node. Many `credential`: a server token was revoked, or people have to connect again.',
  },
  gatehouse_gateway_head_seconds: {
    labels: { integration: INTEGRATION, era: ERA },
    odd: 'It holds the time of the MCP server. One integration that became slower is slow itself. Gatehouse takes about a millisecond: if all became slower at once, look at the lag of the event loop and at the database.',
  },
  gatehouse_gateway_dropped_messages_total: {
    labels: { message: DROPPED },
    odd: 'Any but a few: the line `upstream sent a message that was not asked for` of the log names the integration.',
  },
  gatehouse_gateway_open_streams: {
    odd: 'It grows with the number of clients that listen. If it falls to 0 at once, a proxy has ended them: see [calls of tools](troubleshooting.md#calls-of-tools).',
  },
  gatehouse_sessions_live: {
    odd: 'Normal is at most the number of open streams plus calls in flight. If it stays high without traffic, clients keep streams open.',
  },
  gatehouse_http_request_seconds: {
    labels: {
      operation: {
        values: [...OPERATIONS, 'none'],
      },
      status: { values: ['the HTTP status, such as `200`'], pattern: /^\d{3}$/ },
    },
    odd: '`none` are health checks, scrapes, pages, preflights and unknown paths. Answers of 5xx: look for the request id in the log. Slow ones: look at the database.',
  },
  gatehouse_limited_calls_total: {
    labels: { level: LIMIT_LEVEL, limit: LIMIT_KIND },
    odd: 'A caller calls more often than the [limits](policy.md#limit-how-often) allow, or a limit is too low. With the log level `debug`, the log has the ids of each call.',
  },
  gatehouse_token_refreshes_total: {
    labels: { outcome: REFRESH },
    odd: '`transient`: the provider has an outage, or may not be reached. `misconfigured`: validate the integration. `lost`: the database failed at the wrong moment, and those people may have to connect again. Some `needs_user` are normal.',
  },
  gatehouse_token_revocations_total: {
    labels: { outcome: REVOCATION },
    odd: '`failed`: the tokens of a connection that was ended may still work at the provider until they expire. End the access there by hand if that matters.',
  },
  gatehouse_unreadable_credentials_total: {
    labels: { reason: UNREADABLE },
    odd: '`key_not_loaded`: load the key that the log names ([keys](keys.md#when-something-is-not-as-it-should-be)). `decryption_failed`: something has changed rows past Gatehouse, such as a partial restore. Nobody needs to enter a credential again before that is known.',
  },
  gatehouse_keys_missing: {
    odd: 'Load the keys that the log names. It counts what has been needed since the start, so 0 is no proof: `gatehouse keys status` looks at every row.',
  },
  gatehouse_keys_in_conflict: {
    odd: 'Two nodes run with different keys: one was restarted with a new configuration too early. Follow the order of [replacing a key](keys.md).',
  },
  gatehouse_audit_calls_waiting: {
    odd: 'They are written once a second. A number that grows means that the database does not take them; at 20,000 further ones are lost.',
  },
  gatehouse_audit_calls_lost_total: {
    odd: 'The database was away, or slow, for longer than 20,000 calls. Calls went on. An event `audit.calls_lost` in the audit says how many are missing.',
  },
  gatehouse_audit_verifications_total: {
    labels: { verdict: { values: ['verified', 'failed'] } },
    odd: '`failed` means that something is missing or changed: [what to do](alerts.md#gatehouseauditnotverified). One node verifies, once a day.',
  },
  gatehouse_memory_trusted: {
    odd: 'At 0 the node reads the database for every call, which is right but slow. A moment of it happens when the database restarts. If it stays, the node cannot listen for notifications: look for a transaction pooler between.',
  },
  gatehouse_database_check_seconds: {
    odd: 'A statement that reads nothing took this long: the network, the database, or all connections in use. Calls of the gateway need no statement in steady state; the management API does.',
  },
  gatehouse_background_failures_total: {
    odd: 'The log has a line for each, with what failed. What is written later, such as activity and reports, is tried again; only a shutdown can lose it, and says so.',
  },
  gatehouse_connections_open: {
    odd: 'Near `gatehouse_connections_max`, more clients are refused. Add a node, or find the client that opens too many.',
  },
  gatehouse_connections_max: {
    odd: 'It is fixed. The process needs two file descriptors for each: let it open 24,000 files.',
  },
  gatehouse_sign_ins_total: {
    labels: { way: WAY, outcome: SIGN_IN },
    odd: 'Many `refused` by `password`: someone is guessing; attempts are slowed down, and lines with the route `/sign-in` and the status 429 name the addresses. `refused` by `provider`: see [sign-in](sign-in.md#when-it-does-not-work).',
  },
  gatehouse_consents_total: {
    labels: { outcome: CONSENT },
    odd: 'Many `denied`: people meet clients that they do not know.',
  },
  gatehouse_oauth_connects_total: {
    labels: { outcome: CONNECT },
    odd: '`failed`: the line `an account was not connected` has the code. Validate the integration, and compare its [provider](providers.md).',
  },
};
