import type { EventDetails } from '@gatehouse/contract';
import { z } from 'zod';
import { readSigningKey, replaceSigningKey } from '../../audit/signing-keys.ts';
import { operator } from '../../identity/actor.ts';
import type { Tx } from '../../platform/database/store.ts';
import { createVault } from '../../vault/vault.ts';
import { defineRequest } from '../request.ts';

const key = z.object({
  /** By which blocks name it. */
  id: z.string(),
  /** Base64 of SubjectPublicKeyInfo. */
  publicKey: z.string(),
});

export const auditKeyRequest = defineRequest({
  input: z.strictObject({}),
  reply: key,
  async run({ store, keys }) {
    const { id, publicKey } = (await readSigningKey(store, createVault(keys.keyring))).key;
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
      await recordForAll(tx, 'audit new-key', { action: 'audit.key_created', keyId: id });
      return { id, publicKey };
    }),
});

/** Records that a command writes an export. */
export const auditExportingRequest = defineRequest({
  input: z.strictObject({}),
  reply: z.object({}),
  async run({ store }) {
    await store.transaction((tx) => recordForAll(tx, 'audit export', { action: 'audit.exported' }));
    return {};
  },
});

/** The audit is one for all organizations. */
async function recordForAll(
  { db, record }: Tx,
  command: string,
  details: EventDetails<'audit'>,
): Promise<void> {
  for (const { id } of await db.organization.findMany({ select: { id: true } })) {
    record({ ...details, actor: operator(id, command), targetId: id });
  }
}
