/**
 * Every size limit of the API. Lengths count characters, that is Unicode code points as in JSON Schema,
 * unless the name says bytes.
 */
export const limits = {
  bodyBytes: 1024 * 1024,
  /**
   * Values and names of fields in a body, counted before it is parsed. Every legal body has fewer, except an integration's
   * policy with long rules for many applications.
   */
  bodyValues: 20_000,
  bodyDepth: 64,
  /** Digits in a row. Converting very many takes long, and a double has 17. */
  numberLength: 1000,
  /** Items of a list as sent, repeated ones too. */
  listItems: 1000,
  name: 200,
  url: 2048,
  /** RFC 1035 section 2.3.4, with room for a port. */
  authority: 261,
  provider: 100,
  jsonBytes: 16 * 1024,
  jsonProperties: 32,
  jsonDepth: 32,
  schemas: 500,
  patternStates: 1500,
  credential: 8 * 1024,
  redirectUris: 20,
  allowedResources: 100,
  scopes: 64,
  scopeLength: 128,
  /** Characters of the longest name of a tool or prompt at the one URL of an application. */
  aggregateNameLength: { min: 32, max: 64 },
  /** What a response names that the one URL of an application leaves out; characters of a name. */
  leftOut: 1000,
  leftOutName: 200,
  attachedIntegrations: 500,
  /** Unexpired personal tokens of one member. */
  tokens: 1000,
  validationMessage: 500,
  displayName: 200,
  externalId: 500,
  groups: 1000,
  groupMembers: 10_000,
  /** Policies that a list of where a group is named has. */
  groupPolicies: 100,
  email: 254,
  clientId: 512,
  headerName: 128,
  headerPrefix: 100,
  policyPattern: 128,
  policyResourcePattern: 2048,
  /** Patterns, groups or users in one list of rules. */
  policyItems: 500,
  policyApplications: 100,
  callsPerMinute: 100_000,
  concurrentCalls: 1000,
  /** Characters of a tool's name that is approved: what rules about names read. */
  toolName: 2048,
  /** Tools of one integration. */
  tools: 5000,
  /** Of a definition that is shown, and of a patch. */
  toolDefinitionBytes: 64 * 1024,
  /** Of a prompt or resource that is shown. */
  listedDefinitionBytes: 8 * 1024,
  /** Definitions and patches that one page shows together; one tool may have more. */
  pageDefinitionBytes: 256 * 1024,
  problemTools: 100,
  pageDefault: 50,
  pageMax: 100,
  /** Integrations that the applications of one page show together. */
  pageAttachments: 1000,
  accessGraphEdges: 5000,
  whatIfChanges: 100,
  /** Members of an organization that can ask about changes of anything but members. */
  whatIfMembers: 500,
  /** Edges, tools or people that one list of a what-if names. */
  whatIfNamed: 1000,
  problemErrors: 20,
  /** Sessions and leases that one request ends. */
  endedSessions: 1000,
  /** Sessions, and leases, that a preview counts: beyond it there may be more. */
  countedSessions: 10_000,
  /** Rows that a preview or a receipt names. */
  namedRows: 20,
  /** Connections, and integrations with reviewed tools, among which an overview looks for what needs attention. */
  overviewRows: 1000,
  overviewToolNames: 10,
  /** Of one series. */
  usagePoints: 2000,
  usageSeries: 100,
  /** Of all series of a response: more would hold the server for longer. */
  usagePointsInAll: 20_000,
  /** Applications, or integrations, that a query of usage names. */
  usageIds: 100,
  /** Of the last verification of the audit. */
  auditFindings: 20,
} as const;
