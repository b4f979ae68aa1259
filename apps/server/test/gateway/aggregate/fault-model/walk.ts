import fc from 'fast-check';
import { expect } from 'vitest';
import type { Era } from '../../../../src/mcp/era.ts';
import type { Fixture } from '../../fixture.ts';
import { type AggregateClient, newApplication, openClient } from '../aggregate-client.ts';
import { codeOf, ExpectedLists } from './expected.ts';
import { begin, FAULTS, type FaultyUpstream, mayStillHang } from './upstream.ts';

const ERAS = ['legacy', 'modern'] as const;

/** Milliseconds in which a list is there: 3.2 s on a free machine. */
const LISTED_WITHIN = 6_000;

/** Milliseconds between two questions about eras, and for one. */
const ERA_PAUSE = 3_500;

/** Those that hang take seconds. */
const fault = fc.oneof(
  { weight: 1, arbitrary: fc.constantFrom(...FAULTS) },
  {
    weight: 5,
    arbitrary: fc.constantFrom(
      ...FAULTS.filter((name) => name !== 'hangs' && name !== 'slow pages'),
    ),
  },
);
const which = { upstream: fc.nat(9), person: fc.nat(1), era: fc.constantFrom(...ERAS) };

/** One step of the walk. */
export const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ act: fc.constant('call' as const), ...which }) },
  { weight: 3, arbitrary: fc.record({ act: fc.constant('list' as const), ...which }) },
  { weight: 3, arbitrary: fc.record({ act: fc.constant('fault' as const), fault, ...which }) },
  {
    weight: 2,
    arbitrary: fc.record({
      act: fc.constantFrom('change list' as const, 'forget' as const, 'expire' as const),
      ...which,
    }),
  },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('change era' as const), ...which }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** One application with all upstreams, as two people use it in both eras. */
export class Walk {
  readonly #fixture: Fixture;
  readonly #upstreams: readonly FaultyUpstream[];
  readonly #clients = new Map<string, AggregateClient>();
  readonly #lists = new ExpectedLists();
  readonly #eraChangedAt = new Map<FaultyUpstream, number>();
  #applicationId = '';
  #renamed = 0;

  constructor(fixture: Fixture, upstreams: readonly FaultyUpstream[]) {
    this.#fixture = fixture;
    this.#upstreams = upstreams;
  }

  async start(origin: string, tokens: readonly string[]): Promise<void> {
    this.#applicationId = await newApplication(this.#fixture);
    for (const upstream of this.#upstreams) {
      const { alias, server } = upstream;
      begin(upstream, 'healthy', undefined);
      upstream.hungAt = Number.NEGATIVE_INFINITY;
      const id = await this.#fixture.integrate({ name: alias, url: server.url });
      const path = `/applications/${this.#applicationId}/integrations/${id}`;
      await this.#fixture.api('POST', path);
    }
    for (const [person, token] of tokens.entries()) {
      for (const era of ERAS) {
        const client = await openClient(`${origin}/mcp/${this.#applicationId}`, token, era);
        this.#clients.set(`${person} ${era}`, client);
      }
    }
  }

  async take(given: Step): Promise<void> {
    const upstream = this.#upstreams[given.upstream] as FaultyUpstream;
    if (given.act === 'call') await this.#call(upstream, given);
    else if (given.act === 'list') await this.#list(given);
    else if (given.act === 'fault') begin(upstream, given.fault, upstream.era);
    else if (given.act === 'change list') upstream.version += 1;
    else if (given.act === 'forget') upstream.forget();
    else if (given.act === 'change era') this.#changeEra(upstream, given.era);
    else await this.#expire();
  }

  async #expire(): Promise<void> {
    this.#renamed += 1;
    const name = `Renamed ${this.#renamed}`;
    await this.#fixture.api('PATCH', `/applications/${this.#applicationId}`, { name });
    this.#lists.expire();
  }

  #changeEra(upstream: FaultyUpstream, era: Era): void {
    begin(upstream, upstream.fault, era);
    this.#lists.noteEraChange(upstream);
    this.#eraChangedAt.set(upstream, performance.now());
  }

  async #call(upstream: FaultyUpstream, { person, era }: Step): Promise<void> {
    const { alias } = upstream;
    const { status, body } = await this.#clientOf(person, era).call(`${alias}__echo`);
    const changedAt = this.#eraChangedAt.get(upstream) ?? Number.NEGATIVE_INFINITY;
    const isChanging = performance.now() - changedAt < ERA_PAUSE;
    // What a server itself says in JSON-RPC passes with its status.
    const isRefusal = isChanging && status === 400 && body?.error !== undefined;
    expect({ status, id: body?.id }).toEqual({ status: isRefusal ? 400 : 200, id: 5 });
    if (isRefusal) return;
    const code = codeOf(upstream);
    if (mayStillHang(upstream, era) && body.error?.data.code === 'upstream_timeout') return;
    if (isChanging && body.error !== undefined) {
      expect(body.error.code).toBe(-31005);
    } else if (code === undefined) expect(body.result?.content[0].text).toBe(alias);
    else expect(body.error).toMatchObject({ code: -31005, data: { code } });
  }

  async #list({ person, era }: Step): Promise<void> {
    const allowed = this.#upstreams.map((one) => this.#lists.allowed(one, person, era));
    const begun = performance.now();
    const { names, states } = await this.#clientOf(person, era).listTools();
    expect(performance.now() - begun).toBeLessThan(LISTED_WITHIN);
    expect(Object.keys(states)).toEqual(this.#upstreams.map(({ alias }) => alias));
    for (const [index, upstream] of this.#upstreams.entries()) {
      const { alias } = upstream;
      const own = names.filter((name) => name.startsWith(`${alias}__`));
      const [state = '', count] = (states[alias] ?? '').split(' ');
      const shown = { state, names: own };
      expect(allowed[index], `${alias}, ${upstream.fault}`).toContainEqual(shown);
      expect(Number(count)).toBe(own.length);
      this.#lists.note(upstream, person, era, shown);
    }
  }

  #clientOf(person: number, era: Era): AggregateClient {
    return this.#clients.get(`${person} ${era}`) as AggregateClient;
  }
}
