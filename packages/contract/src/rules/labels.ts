import type { ClientType } from '../applications/oauth.schema.ts';
import type { ConnectionReason } from '../connections/connections.schema.ts';
import type {
  KeySource,
  LimitName,
  SignInWay,
  StoreKind,
} from '../installation/installation.schema.ts';
import type { AuthMode, IntegrationCategory } from '../integrations/integration-enums.ts';
import type { MemberAccess } from '../members/access.schema.ts';
import type { MemberRole } from '../members/members.schema.ts';
import type { SessionState } from '../sessions/sessions.schema.ts';
import type { PolicyLevelName } from '../shared/policy-reason.ts';
import type { RevokedAccess } from '../shared/revoked-access.ts';
import type { ValidationStageName, ValidationStatus } from '../shared/validation.ts';
import type { TokenScope } from '../tokens/tokens.schema.ts';
import type { ToolState } from '../tools/tools.schema.ts';
import type { ToolPin } from './policy/policy-rules.ts';

/** A value of the API for people: two or three words, and a sentence that says what follows from it. */
interface Label {
  readonly label: string;
  readonly sentence: string;
}

export const authModeLabels: Readonly<Record<AuthMode, Label>> = {
  oauth: {
    label: 'OAuth',
    sentence: 'Each person signs in at the provider with their own account.',
  },
  user_token: { label: 'Own token', sentence: 'Each person enters their own token or key.' },
  server_token: { label: 'Shared token', sentence: 'Everyone uses one token, which you enter.' },
  none: { label: 'No credential', sentence: 'Requests carry no credential.' },
};

export const integrationCategoryLabels: Readonly<Record<IntegrationCategory, Label>> = {
  gateway_remote_mcp: {
    label: 'Through the gateway',
    sentence: 'Applications call it through Gatehouse. The credential never leaves Gatehouse.',
  },
  internal_mcp_credentials: {
    label: 'Handed out',
    sentence:
      'Gatehouse stores its credentials and hands them out to applications that may have them.',
  },
};

export const validationStatusLabels: Readonly<Record<ValidationStatus, string>> = {
  valid: 'Valid',
  invalid: 'Invalid',
  pending: 'Pending',
};

/** The names of the stages as a person reads them in a list. */
export const validationStageLabels: Readonly<Record<ValidationStageName, string>> = {
  address: 'Address',
  tls: 'TLS',
  http: 'HTTP',
  mcp: 'MCP',
  challenge: 'Challenge',
  discovery: 'Authorization server',
  registration: 'OAuth client',
  credential: 'Credential',
  tools: 'Tools',
};

/** What a person reads about their connection that needs attention. */
export const connectionReasonLabels: Readonly<Record<ConnectionReason, Label>> = {
  needs_reauth: { label: 'Ended', sentence: 'The grant has ended, or the integration has moved.' },
  rejected_upstream: { label: 'Rejected', sentence: 'The server rejected the credential.' },
  expired: { label: 'Expired', sentence: 'The credential has expired.' },
};

export const toolStateLabels: Readonly<Record<ToolState, Label>> = {
  approved: { label: 'Approved', sentence: 'As an admin approved it.' },
  changed: { label: 'Changed', sentence: 'Only other definitions of it are approved.' },
  new: { label: 'New', sentence: 'No definition of it is approved.' },
};

export const toolPinLabels: Readonly<Record<ToolPin, Label>> = {
  definition: {
    label: 'As approved',
    sentence: 'Nothing of its definition may differ from what an admin approved.',
  },
  schema: {
    label: 'Schemas as approved',
    sentence: 'Its title and description may differ from what an admin approved.',
  },
};

export const clientTypeLabels: Readonly<Record<ClientType, Label>> = {
  public: {
    label: 'Public',
    sentence: 'A program on a person’s machine. It has no secret and uses PKCE.',
  },
  confidential: {
    label: 'Confidential',
    sentence: 'A program on a server that can keep a secret.',
  },
};

/** The lines of a receipt, in its order. */
export const revokedAccessLabels: Readonly<Record<keyof RevokedAccess, string>> = {
  tokens: 'Access and refresh tokens',
  grants: 'Grants: what people had allowed clients to do',
  consents: 'Remembered consents',
  sessions: 'Open sessions',
  streams: 'Of these, with a request in flight',
  leases: 'Credentials that were handed out and still lasted',
};

/** What ends with a member beside sessions and leases, in the order of a preview. */
export const memberAccessLabels: Readonly<
  Record<keyof Pick<MemberAccess, 'connections' | 'tokens' | 'grants' | 'groups'>, string>
> = {
  connections: 'Connected accounts, with the stored credentials',
  tokens: 'Personal access tokens and invitations',
  grants: 'Grants: what they had allowed clients to do',
  groups: 'Places in groups',
};

export const sessionStateLabels: Readonly<Record<SessionState, string>> = {
  open: 'Open',
  closed: 'Closed by its client',
  expired: 'Expired',
  revoked: 'Revoked',
};

export const memberRoleLabels: Readonly<Record<MemberRole, Label>> = {
  owner: { label: 'Owner', sentence: 'Does everything, also what concerns owners.' },
  admin: { label: 'Admin', sentence: 'Does everything but what concerns owners.' },
  member: {
    label: 'Member',
    sentence: 'Connects their own accounts, and manages their own applications.',
  },
};

/** People read a scope by its name, as programs and pages have it, and this sentence beside it. */
export const tokenScopeSentences: Readonly<Record<TokenScope, string>> = {
  mcp: 'Uses integrations: calls them through the gateway, as you.',
  'management:read': 'Reads settings: sees what you can see here, by the API.',
  'management:write': 'Changes settings: reads and changes what you can change here, by the API.',
};

export const storeKindLabels: Readonly<Record<StoreKind, Label>> = {
  embedded: {
    label: 'Embedded database',
    sentence: 'In the data directory of the one node. It survives a crash, not a power loss.',
  },
  postgresql: { label: 'PostgreSQL', sentence: 'Any number of nodes share it.' },
};

export const keySourceLabels: Readonly<Record<KeySource, Label>> = {
  file: {
    label: 'Key file',
    sentence: 'In the data directory. The command gatehouse keys replaces them.',
  },
  environment: {
    label: 'Environment',
    sentence: 'An operator gives the same keys to every node.',
  },
};

export const signInWayLabels: Readonly<Record<SignInWay, Label>> = {
  password: { label: 'Password', sentence: 'People sign in by email and password.' },
  link: { label: 'Sign-in link', sentence: 'Admins and operators make links that work once.' },
  provider: { label: 'Provider', sentence: 'People sign in at an OpenID Connect provider.' },
};

export const limitLabels: Readonly<Record<LimitName, Label>> = {
  managementRequests: {
    label: 'Management requests',
    sentence: 'Of each token, on each node.',
  },
  sessionActive: {
    label: 'Active session',
    sentence: 'An open session counts as active this long after its last activity.',
  },
  sessionLegacy: {
    label: 'Session with an id',
    sentence: 'A session with an MCP session id expires after this silence.',
  },
  sessionModern: {
    label: 'Session without an id',
    sentence: 'A session without an MCP session id expires after this silence.',
  },
  auditCalls: {
    label: 'Calls in the log',
    sentence: 'The audit keeps calls for this long, and then drops what they were.',
  },
  auditChanges: {
    label: 'Changes in the log',
    sentence: 'The audit keeps changes for this long.',
  },
  usage: {
    label: 'Usage',
    sentence: 'Counts of calls by day are kept for this long.',
  },
};

export const policyLevelLabels: Readonly<Record<PolicyLevelName, Label>> = {
  integration: {
    label: 'Rules of the integration',
    sentence: 'They bind every application that uses it.',
  },
  application: {
    label: 'Rules for this application',
    sentence: 'They stand with the integration, and bind this application alone.',
  },
  attachment: {
    label: 'Rules of the attachment',
    sentence: 'The owner of the application sets them for what it may use of the integration.',
  },
};
