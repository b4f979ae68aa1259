import { z } from 'zod';
import { readFirstKey, replaceSigningKey } from '../../audit/signing-keys.ts';
import { operatorBy } from '../../identity/actor.ts';
import { recordForAll } from '../../identity/record-for-all.ts';
import { createVault } from '../../vault/vault.ts';
import { defineRequest } from '../request.ts';

const key = z.object({
  /** By which blocks name it. */
  id: z.string(),
  /** Base64 of SubjectPublicKeyInfo. */
  publicKey: z.string(),
});

/** The key with which everything can be verified. */
export const auditKeyRequest = defineRequest({
  input: z.strictObject({}),
  reply: key,
  async run({ store, keys }) {
    const { id, publicKey } = await readFirstKey(store, createVault(keys.keyring));
    return { id, publicKey };
  },
});

/** Makes the key that signs from now on. Every node uses it within half a minute. */
export const auditNewKeyRequest = defineRequest({
  input: z.strictObject({}),
  reply: key,
  run: ({ store, keys }) =>
    store.transaction(async (tx) => {
      const { id, publicKey } = await replaceSigningKey(tx, createVault(keys.keyring));
      const created = { action: 'audit.key_created', keyId: id } as const;
      await recordForAll(tx, operatorBy('audit new-key'), created);
      return { id, publicKey };
    }),
});

/** Records that a command writes an export. */
export const auditExportingRequest = defineRequest({
  input: z.strictObject({}),
  reply: z.object({}),
  async run({ store }) {
    await store.transaction((tx) =>
      recordForAll(tx, operatorBy('audit export'), { action: 'audit.exported' }),
    );
    return {};
  },
});
