import type { Application } from '@gatehouse/sdk';

/** What ends with all access through an application, beside sessions. The API has no list of it. */
export function TokensEnd({ application: { totalSessionCount } }: { application: Application }) {
  return (
    <p>
      Tokens, grants and remembered consents of every person end too: clients have to sign in again.{' '}
      {totalSessionCount === 0 && 'It has never been used.'}
    </p>
  );
}
