import { randomBytes } from 'node:crypto';
import type { AuditEvent } from '@gatehouse/contract';
import { exportAudit } from '../../../src/audit/exporting/export-audit.ts';
import { readSigningKey } from '../../../src/audit/signing-keys.ts';
import { createLogger } from '../../../src/platform/logging.ts';
import { createKeyring } from '../../../src/vault/keyring.ts';
import { createVault } from '../../../src/vault/vault.ts';
import type { ServiceConfig } from '../../../src/wiring-base.ts';
import { formsOf } from '../../process/support/secret-forms.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';
import { use } from '../../support/use.ts';

/** Where the client of every request is, behind a proxy. */
export const ADDRESS = '203.0.113.9';

/** Our secrets, as answers show them once. */
const SECRET = /(?<![\w-])(?:gh_[a-z]+_)?([\w-]{43})(?![\w-])/g;

/** A server, what it records, and what must not be in that. */
export interface RecordedServer {
  readonly server: TestServer;
  /** A value that is given to the server, and must not be in any record. */
  plant(): string;
  /** Notes the secrets that an answer shows. */
  noteAnswer(text: string): void;
  /** Headers of a request that can be found again. */
  headersOf(requestId: string): Record<string, string>;
  eventsOf(requestId: string): Promise<AuditEvent[]>;
  /** Everything that was recorded: events, lines of the log, and an export. */
  recordedText(): Promise<string>;
  /** Those planted, noted and stored that are in a text, in any form. */
  leaksIn(text: string): string[];
  readonly secretCount: () => number;
}

/** A server for the tests of this file, with settings that are known when it starts. */
export function useRecordedServer(
  settings: () => Partial<ServiceConfig> = () => ({}),
): RecordedServer {
  const key = { id: 'test', key: randomBytes(32) };
  const lines: string[] = [];
  const secrets = new Set<string>();
  const logger = createLogger('info', { write: (line) => void lines.push(line) });
  const server = use(() => {
    const config = { encryptionKeys: [key], trustedProxies: ['127.0.0.1'], ...settings() };
    return startTestServer(config, undefined, logger);
  });
  const plant = (): string => {
    const secret = `planted-${randomBytes(16).toString('hex')}`;
    secrets.add(secret);
    return secret;
  };
  return {
    server,
    plant,
    noteAnswer(text) {
      for (const [, secret = ''] of text.matchAll(SECRET)) secrets.add(secret);
    },
    headersOf: (requestId) => ({ 'x-request-id': requestId, 'x-forwarded-for': ADDRESS }),
    async eventsOf(requestId) {
      const where = { event: { contains: requestId } };
      const rows = await server.store.db.auditEvent.findMany({ where, orderBy: { id: 'asc' } });
      return rows.map(({ event }) => JSON.parse(event));
    },
    async recordedText() {
      const { db } = server.store;
      const events = (await db.auditEvent.findMany()).map(({ event }) => event);
      const signer = await readSigningKey(server.store, createVault(createKeyring([key])));
      const request = { organizationId: null, writtenBy: '1.0.0' };
      const exported: string[] = [];
      for await (const line of exportAudit({ db, signer }, request)) exported.push(line);
      return [...events, ...lines, ...exported].join('\n');
    },
    leaksIn: (text) =>
      [...secrets].filter((secret) => formsOf(secret).some((form) => text.includes(form))),
    secretCount: () => secrets.size,
  };
}
