import type { Adapter } from 'oidc-provider';

/** The functions of an adapter that oidc-provider does not call for a model, or that have no effect for it. */
export const unused: Adapter = {
  upsert: async () => {},
  find: async () => undefined,
  findByUserCode: async () => undefined,
  findByUid: async () => undefined,
  consume: async () => {},
  destroy: async () => {},
  revokeByGrantId: async () => {},
};
