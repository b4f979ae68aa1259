import type { ExportAuditEventsQuery } from '@gatehouse/contract';
import { exportAudit } from '../../audit/exporting/export-audit.ts';
import { readSigningKey } from '../../audit/signing-keys.ts';
import { actorOfCaller, type PersonCaller } from '../../identity/caller.ts';
import type { Store } from '../../platform/database/store.ts';
import { inChunks } from '../../platform/in-chunks.ts';
import { ProblemError } from '../../platform/problem-error.ts';
import type { Vault } from '../../vault/vault.ts';

export interface AuditExport {
  readonly chunks: AsyncIterable<Uint8Array>;
  /** To be called when it is over: another one may begin then. */
  end(): void;
}

export interface Exports {
  /** @throws ProblemError `rate_limited` while another one of the organization runs */
  begin(actor: PersonCaller, query: ExportAuditEventsQuery): Promise<AuditExport>;
}

interface ExportsDeps {
  readonly store: Store;
  readonly vault: Vault;
  readonly version: string;
}

export function createExports({ store, vault, version: writtenBy }: ExportsDeps): Exports {
  const running = new Set<string>();
  return {
    async begin(actor, { from, to }) {
      const { organizationId } = actor;
      if (running.has(organizationId)) {
        throw new ProblemError('rate_limited', 'Another export of the audit is running.', {
          headers: { 'Retry-After': '10' },
        });
      }
      running.add(organizationId);
      const end = (): void => void running.delete(organizationId);
      try {
        const signer = await readSigningKey(store, vault);
        await store.transaction(async ({ record }) =>
          record({
            ...{ action: 'audit.exported', targetId: organizationId },
            actor: actorOfCaller(actor),
          }),
        );
        const request = { organizationId, from, to, writtenBy };
        return { chunks: inChunks(exportAudit({ db: store.db, signer }, request)), end };
      } catch (error) {
        end();
        throw error;
      }
    },
  };
}
