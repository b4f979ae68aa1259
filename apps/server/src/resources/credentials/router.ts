import { contract } from '@gatehouse/contract';
import { initServer } from '@ts-rest/express';
import { handOut } from '../../credentials/hand-out/hand-out.ts';
import { applicationTokenOf } from '../../http/context.ts';
import type { RouterDeps } from '../router-deps.ts';
import { presentCredential, presentLease } from './presenter.ts';

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
