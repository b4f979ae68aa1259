import { type CredentialLease, contract, type HandedOutCredential } from '@gatehouse/contract';
import { initServer } from '@ts-rest/express';
import { handOut } from '../../credentials/hand-out/hand-out.ts';
import type { FreshCredential } from '../../credentials/outcome.ts';
import { applicationTokenOf } from '../../http/context.ts';
import type { Lease } from '../../sessions/leases.ts';
import type { RouterDeps } from '../router-deps.ts';

/** The routes' access has shown that the token was issued to the application of the path. */
export function credentialsRouter(deps: RouterDeps) {
  return initServer().router(contract.credentials, {
    handOut: async ({ params: { integrationId }, res }) => {
      const recipient = { caller: applicationTokenOf(res) };
      const { shown, lease } = await handOut(deps, recipient, integrationId, presentCredential);
      return { status: 200, body: { credential: shown, lease: presentLease(lease) } };
    },
  });
}

/** The one response that shows a stored credential. */
function presentCredential({ headers, stored, expiresAt }: FreshCredential): HandedOutCredential {
  return {
    headers: headers.map(([name, value]) => ({ name, value })),
    ...stored,
    ...(expiresAt === undefined ? {} : { expiresAt: new Date(expiresAt).toISOString() }),
  };
}

function presentLease({ id, expiresAt }: Lease): CredentialLease {
  return { id, expiresAt: expiresAt.toISOString() };
}
