import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { AggregateClient } from '../../gateway/aggregate/aggregate-client.ts';
import { modernRequest } from '../../gateway/connect-fixture.ts';
import type { Answer } from '../../gateway/fixture.ts';

/** The event stream of a client, which opens it again whenever it has ended, after the last event that it has received. */
export class FollowedStream {
  /** All that has been received. */
  text = '';
  opened = 0;
  /** Why it ended where it did not end in order. */
  readonly faults: string[] = [];
  readonly #client: AggregateClient;
  readonly #era: 'legacy' | 'modern';
  readonly #running: Promise<void>;
  #answer: Answer | undefined;
  #isStopped = false;
  #isDropped = false;

  constructor(client: AggregateClient, era: 'legacy' | 'modern') {
    this.#client = client;
    this.#era = era;
    this.#running = this.#run();
  }

  /** Its connection breaks. */
  drop(): void {
    this.#isDropped = true;
    this.#answer?.abort();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#answer?.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      try {
        await this.#follow();
      } catch (error) {
        if (!this.#isStopped && !this.#isDropped) this.faults.push(String(error));
        this.#isDropped = false;
        await delay(50);
      }
    }
  }

  async #follow(): Promise<void> {
    const answer = await this.#open();
    if (answer.status !== 200) throw new Error(`It is answered with ${answer.status}.`);
    this.#answer = answer;
    this.opened += 1;
    answer.stream.setEncoding('utf8').on('data', (text: string) => {
      this.text += text;
    });
    if (this.#isStopped) answer.abort();
    await once(answer.stream, 'end');
  }

  #open(): Promise<Answer> {
    const { headers, send } = this.#client;
    if (this.#era === 'modern') {
      const params = { notifications: { toolsListChanged: true, promptsListChanged: true } };
      return send(modernRequest('subscriptions/listen', params));
    }
    const last = [...this.text.matchAll(/^id: (\S+)$/gm)].at(-1)?.[1];
    const resuming = last === undefined ? {} : { 'last-event-id': last };
    return send({
      method: 'GET',
      headers: { ...headers, accept: 'text/event-stream', ...resuming },
    });
  }
}
