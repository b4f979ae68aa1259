import type { Store } from '../../../src/platform/database/store.ts';
import { testDatabaseKind } from '../../support/database.ts';
import { use } from '../../support/use.ts';
import { type Fixture, startGateway, type TestGateway } from '../fixture.ts';

/** Another gateway over the fixture's rows: on PostgreSQL with connections that it does not share. */
export function useOtherNode(
  fixture: Fixture,
  wrap: (store: Store) => Store = (store) => store,
): TestGateway {
  return use(async () => {
    const { server } = fixture;
    const isShared = testDatabaseKind === 'pglite';
    const store = isShared ? server.store : await server.store.openAnotherNode();
    return startGateway(wrap(store), { publicUrl: server.origin });
  });
}
