/** What is taken along: every row of these, a table after those that its foreign keys point to. */
export const TABLES: readonly string[] = [
  'Organization',
  'User',
  'Token',
  'Integration',
  'IntegrationSecret',
  'Connection',
  'UpstreamRegistration',
  'ConnectLink',
  'ConnectAttempt',
  'UpstreamRevocation',
  'Application',
  'Attachment',
  'Session',
  'IdempotencyKey',
  'KeyCheck',
  'SignInLink',
  'ExternalIdentity',
  'FormerMember',
  'BrowserSession',
  'Grant',
  'Consent',
  'OauthToken',
  'OauthState',
  'DynamicClient',
];

/** What is left out, and why. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  SessionPresence: 'Requests in flight on nodes that are not those of the other installation.',
  Node: 'Which nodes run, and with which keys: those of the other installation.',
  _prisma_migrations: 'The other installation writes it when it makes the tables.',
};
