import { contract } from '@gatehouse/contract';
import { initServer } from '@ts-rest/express';
import { readDatabaseStatus } from '../../platform/database/database-status.ts';
import { findRunningNodes } from '../../vault/node-keys.ts';
import type { RouterDeps } from '../router-deps.ts';
import { presentInstallation } from './presenter.ts';
import { readKeyAdditions } from './repository.ts';

export function installationRouter({ store, installation }: RouterDeps) {
  return initServer().router(contract.installation, {
    get: async () => {
      const database = await readDatabaseStatus(store);
      const nodes = await findRunningNodes(store.db);
      const keyAdditions = await readKeyAdditions(store.db, installation.keyring.ids);
      const state = { database, nodes, keyAdditions };
      return { status: 200, body: { installation: presentInstallation(installation, state) } };
    },
  });
}
