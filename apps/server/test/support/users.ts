import { beforeAll } from 'vitest';
import { addOrganization } from './organization.ts';
import type { TestServer } from './server.ts';
import { later } from './use.ts';

type Role = 'owner' | 'admin' | 'member';

/** A further member of the server's organization, with a token of all scopes. */
export function useMember(server: TestServer, role: Role): { id: string; token: string } {
  return made(() => server.addMember(role));
}

/** The owner of another organization on the server. */
export function useStranger(server: TestServer): { token: string } {
  return made(async () => ({ token: await addOrganization(server.store) }));
}

function made<T extends object>(make: () => Promise<T>): T {
  let user: T | undefined;
  beforeAll(async () => {
    user = await make();
  });
  return later(() => user);
}
