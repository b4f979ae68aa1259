import { randomUUID } from 'node:crypto';
import type { Called } from '../../support/server.ts';
import type { Api } from './api.ts';

/** One write, sent at most once and repeated under the same key until it is answered. */
interface Write {
  readonly kind: 'create' | 'rename' | 'attach' | 'rotate';
  readonly method: 'POST' | 'PATCH';
  readonly path: string;
  readonly status: number;
  readonly key: string;
  readonly body?: unknown;
  readonly ifMatch?: string;
  /** Enters an acknowledged answer in the ledger. */
  readonly enter: (answer: Called) => void;
}

type Kind = Write['kind'];

const RETRY_EVERY = 20;

/**
 * Writes to its own integration and application, one write at a time, and keeps a ledger of what the
 * server acknowledged. After a crash it repeats the write that was cut off.
 */
export class LedgerWriter {
  readonly #prefix: string;
  readonly #created = new Map<string, string>();
  readonly #attached = new Set<string>();
  readonly #latest = new Map<Kind, { readonly write: Write; readonly answer: Called }>();
  #integration = { id: '', name: '', version: 1 };
  #application = { id: '', version: 1 };
  #pending: Write | undefined;
  #count = 0;
  /** Writes acknowledged so far, the two of {@link begin} not counted. */
  acknowledged = 0;

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  get applicationId(): string {
    return this.#application.id;
  }

  /** The secret that the last acknowledged rotation delivered. */
  get clientSecret(): string | undefined {
    return this.#latest.get('rotate')?.answer.body.oauth.clientSecret;
  }

  async begin(api: Api): Promise<void> {
    const name = `subject of ${this.#prefix}`;
    const integration = await api.expect(201, 'POST', '/integrations', {
      body: { name, url: 'https://mcp.example.com/mcp' },
    });
    const oauth = { type: 'confidential', redirectUris: ['https://example.com/callback'] };
    const application = await api.expect(201, 'POST', '/applications', { body: { name, oauth } });
    this.#integration = { id: integration.body.integration.id, name, version: 1 };
    this.#application = { id: application.body.application.id, version: 1 };
  }

  /** Writes until a request fails, which it does when the server dies. */
  async writeUntilCrash(api: Api, onAcknowledged: () => void): Promise<void> {
    for (;;) {
      this.#pending = this.#next();
      const answer = await this.#send(api, this.#pending).catch(() => undefined);
      if (answer === undefined) return;
      this.#enter(this.#pending, answer);
      onAcknowledged();
    }
  }

  /** Repeats the write that was cut off; returns what the server holds against the ledger. */
  async recover(api: Api): Promise<{ readonly held: unknown; readonly ledger: unknown }> {
    if (this.#pending !== undefined) {
      this.#enter(this.#pending, await this.#sendUntilDone(api, this.#pending));
    }
    const { id: integrationId } = this.#integration;
    const { id: applicationId } = this.#application;
    const integration = await api.expect(200, 'GET', `/integrations/${integrationId}`);
    const application = await api.expect(200, 'GET', `/applications/${applicationId}`);
    const attached = await api.expect(200, 'GET', `/applications/${applicationId}/integrations`);
    return {
      held: {
        integration: {
          id: integrationId,
          name: integration.body.integration.name,
          version: versionOf(integration),
        },
        application: { id: applicationId, version: versionOf(application) },
        attached: attached.body.integrationIds.toSorted(),
        created: await this.#readCreated(api),
        replayed: await this.#replay(api),
      },
      ledger: {
        integration: this.#integration,
        application: this.#application,
        attached: [...this.#attached].sort(),
        created: [...this.#created].sort(),
        replayed: [...this.#latest].map(([kind, { answer }]) => [kind, answer.status, answer.text]),
      },
    };
  }

  /** Every integration of this writer, by name: one that was created twice appears twice. */
  async #readCreated(api: Api): Promise<unknown[]> {
    const found: [string, string][] = [];
    const query = new URLSearchParams({ name: `${this.#prefix}#`, limit: '100' });
    for (let cursor: string | null = ''; cursor !== null; ) {
      if (cursor !== '') query.set('cursor', cursor);
      const page = await api.expect(200, 'GET', `/integrations?${query}`);
      for (const { name, id } of page.body.items) found.push([name, id]);
      cursor = page.body.nextCursor;
    }
    return found.sort();
  }

  /** The last acknowledged write of each kind, repeated: the same answer, and nothing done again. */
  async #replay(api: Api): Promise<unknown[]> {
    const replayed: unknown[] = [];
    for (const [kind, { write }] of this.#latest) {
      const { status, text } = await this.#send(api, write);
      replayed.push([kind, status, text]);
    }
    return replayed;
  }

  #next(): Write {
    this.#count += 1;
    const key = randomUUID();
    const unattached = [...this.#created.values()].find((id) => !this.#attached.has(id));
    switch (this.#count % 4) {
      case 0:
        return this.#rename(key);
      case 1:
        return this.#rotate(key);
      case 2:
        return unattached === undefined ? this.#create(key) : this.#attach(key, unattached);
      default:
        return this.#create(key);
    }
  }

  #create(key: string): Write {
    const name = `${this.#prefix}#${this.#count}`;
    return {
      kind: 'create',
      method: 'POST',
      path: '/integrations',
      status: 201,
      key,
      body: {
        name,
        url: 'https://mcp.example.com/mcp',
        authMode: 'server_token',
        serverToken: key,
      },
      enter: ({ body }) => void this.#created.set(name, body.integration.id),
    };
  }

  /** With If-Match: done a second time it would be refused instead of answered. */
  #rename(key: string): Write {
    const { id, version } = this.#integration;
    const name = `subject of ${this.#prefix}, ${this.#count}`;
    return {
      kind: 'rename',
      method: 'PATCH',
      path: `/integrations/${id}`,
      status: 200,
      key,
      body: { name },
      ifMatch: `"v${version}"`,
      enter: () => {
        this.#integration = { id, name, version: version + 1 };
      },
    };
  }

  #attach(key: string, integrationId: string): Write {
    return {
      kind: 'attach',
      method: 'POST',
      path: `/applications/${this.#application.id}/integrations/${integrationId}`,
      status: 204,
      key,
      enter: () => {
        this.#attached.add(integrationId);
        this.#application.version += 1;
      },
    };
  }

  #rotate(key: string): Write {
    return {
      kind: 'rotate',
      method: 'POST',
      path: `/applications/${this.#application.id}/rotate-secret`,
      status: 200,
      key,
      enter: () => {
        this.#application.version += 1;
      },
    };
  }

  #enter(write: Write, answer: Called): void {
    if (answer.status !== write.status) {
      throw new Error(`${write.kind} was answered ${answer.status}: ${answer.text}`);
    }
    write.enter(answer);
    this.#latest.set(write.kind, { write, answer });
    this.#pending = undefined;
    this.acknowledged += 1;
  }

  /** PostgreSQL may still be ending what the dead process had begun. */
  async #sendUntilDone(api: Api, write: Write): Promise<Called> {
    for (;;) {
      const answer = await this.#send(api, write);
      if (answer.body?.code !== 'idempotency_in_progress') return answer;
      await new Promise((resolve) => setTimeout(resolve, RETRY_EVERY));
    }
  }

  #send(api: Api, { method, path, body, key, ifMatch }: Write): Promise<Called> {
    const headers = {
      'idempotency-key': key,
      ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
    };
    return api.call(method, path, { body, headers });
  }
}

function versionOf({ headers }: Called): number {
  return Number(/^"v(\d+)"$/.exec(headers.get('etag') ?? '')?.[1]);
}
