import { type CredentialMode, readableCredential } from './mode.ts';
import { checkConnection, personalConnection } from './personal-connection.ts';

/** `user_token`: the credential that each user entered, stored in that user's connection. */
export const userTokenMode: CredentialMode = {
  source: 'connection',
  stored: personalConnection,
  check: checkConnection,
  credential: readableCredential,
};
