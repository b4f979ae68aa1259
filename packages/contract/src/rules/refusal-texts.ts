import { clauseOf } from './failures/failure.ts';

/** The sentences of refusals that the service and the mocks make, each for itself, of what is stored. */
export const refusalTexts = {
  alteredCursor: 'The cursor is altered, or belongs to another list. Start again without a cursor.',
  cursorOfList: 'Must be the nextCursor of the same list.',
  reusedKey:
    'This Idempotency-Key was used with a different body. Use a new key for a new request.',
  wrongKey: 'Idempotency-Key must be 1 to 255 visible ASCII characters.',
  keyCharacters: 'Must be 1 to 255 visible ASCII characters.',
  secretReplaced:
    'The request succeeded, but the secret in its response has since been replaced or revoked.',
  tokenRequired: 'An access token is required.',
  notBearer: 'The Authorization header does not contain a bearer token.',
  tokenUnknown: 'The access token is unknown, expired or revoked.',
  bodyCompressed: 'Send the body as UTF-8, without compression.',
  ownersOnly: 'Only owners may change an owner, or grant or remove the owner role.',
  notUserToken:
    'The integration does not use the mode user_token, so users cannot enter a credential.',
  noConnections: 'Only integrations of the modes user_token and oauth have connections.',
  notOauth: 'The integration does not use the mode oauth.',
  noCredential: 'The integration has no credential.',
  returnToRefused: 'The browser cannot return to that origin.',
  returnToAllowed: 'Must have an origin of GATEHOUSE_ALLOWED_ORIGINS.',
  credentialMismatch: 'The credential does not match the integration.',
  unsendableValue:
    'A value that is sent must be visible ASCII characters, without spaces at either end, and without any space in a bearer token.',
  wrongSchema:
    'Must be a valid JSON Schema 2020-12. Patterns must not use lookaround or backreferences.',
  schemaWithoutToken: 'The credential schema takes no server token.',
  serverTokenRequired: 'The mode server_token needs a server token.',
  serverTokenMissing: 'Required: no server token is stored for the origin of the url.',
  redirectUriRequired: 'A public client needs at least one redirect URI.',
  tokenExpired: 'The token would already be expired. Choose a later expiresAt.',
  noSuchAggregateUrl:
    'This gateway URL does not exist: its application may be archived or mistyped.',
} as const;

/** A person has no usable credential at an integration, for the reason that the sentence gives. */
export const mustConnectText = (sentence: string): string =>
  `The person has to connect: ${clauseOf(sentence)}.`;

/** An application does not serve its integrations by one URL. @param urls of its integrations, with their names */
export function notAggregateText(urls: readonly string[]): string {
  const instead =
    urls.length === 0 ? '' : ` Use the URL of one of its integrations: ${urls.join(', ')}.`;
  return `This is the URL of a whole application, which does not serve its integrations by one URL.${instead}`;
}
