import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Era } from '../../../../src/mcp/era.ts';
import { paramHeadersOf } from '../../../../src/mcp/param-headers.ts';
import type { RawClient } from './raw-client.ts';
import { entriesOf, type Named, restored, unvaried, valuesOf } from './texts.ts';

/** An integration by its own URL and by that of the application. */
export interface Sides {
  readonly pair: RawClient;
  readonly aggregate: RawClient;
  readonly integration: Named;
}

export interface EqualityOptions {
  open(): Promise<Sides>;
  /** Of the client at the one URL, and of the other, which speaks that of the integration. */
  readonly eras: { readonly client: Era; readonly upstream: Era };
  readonly lists?: readonly ListName[];
  /** In place of arguments by the schema of a tool, or the names that a prompt declares. Tools are called in this order. */
  readonly argumentsFor?: Readonly<Record<string, object>>;
  /** Tools that the one URL leaves out. */
  readonly leftOut?: readonly string[];
  /** Tools that ask their client, which only a legacy client can be. */
  readonly asking?: readonly string[];
}

const LISTS = {
  tools: 'tools/list',
  prompts: 'prompts/list',
  resources: 'resources/list',
  resourceTemplates: 'resources/templates/list',
} as const;
type ListName = keyof typeof LISTS;

/** Tests that each entry and each result at the one URL is that of the integration's own URL. */
export function checkEquality(options: EqualityOptions): void {
  const { eras, argumentsFor = {}, leftOut = [], asking = [] } = options;
  const { lists = Object.keys(LISTS) as ListName[] } = options;
  const isOneEra = eras.client === eras.upstream;
  let sides: Sides;

  beforeAll(async () => {
    sides = await options.open();
  });
  afterAll(() => Promise.all([sides.pair.close(), sides.aggregate.close()]));

  const ownEntries = async (key: ListName) =>
    entriesOf(await sides.pair.answerTo(LISTS[key]), key).filter(
      (entry) => !leftOut.includes(JSON.parse(entry).name),
    );

  const exposed = (name: string) => `${sides.integration.alias}__${name}`;
  const renamed = ({ name, ref, ...params }: Params): Params => ({
    ...(name !== undefined && { name: exposed(name) }),
    ...(ref !== undefined && { ref: { ...ref, name: exposed(ref.name) } }),
    ...params,
  });
  const expectSame = async (method: string, params: Params, headers = {}): Promise<void> => {
    const own = await sides.pair.ask(method, params, headers);
    const passed = await sides.aggregate.ask(method, renamed(params), headers);
    const about = `${method} ${JSON.stringify(params).slice(0, 80)}`;
    if (isOneEra) expect(passed.map(unvaried), about).toEqual(own.map(unvaried));
    else {
      const values = valuesOf(passed.at(-1) ?? '', eras.client);
      expect(values, about).toEqual(valuesOf(own.at(-1) ?? '', eras.upstream));
    }
  };

  const prompts = async () =>
    (await ownEntries('prompts')).map((entry) => {
      const { name, arguments: declared = [] } = JSON.parse(entry);
      return { name, declared } as { name: string; declared: readonly { name: string }[] };
    });

  it.each(lists)('lists the same %s', async (key) => {
    const own = await ownEntries(key);
    const listed = entriesOf(await sides.aggregate.answerTo(LISTS[key]), key);
    expect(own.length).toBeGreaterThan(0);
    const { integration } = sides;
    const ofIntegration = listed.filter((entry) => entry.includes(`"id":"${integration.id}"`));
    expect(ofIntegration.map((entry) => restored(entry, integration))).toEqual(own);
  });

  it('calls every tool with the same result', async () => {
    const order = Object.keys(argumentsFor);
    const placeOf = (definition: string) => order.indexOf(JSON.parse(definition).name);
    const tools = await ownEntries('tools');
    for (const definition of tools.sort((a, b) => placeOf(a) - placeOf(b))) {
      const { name, inputSchema } = JSON.parse(definition);
      if (asking.includes(name)) continue;
      const args = argumentsFor[name] ?? exampleOf(inputSchema);
      const headers = paramHeadersOf(Buffer.from(definition), Buffer.from(JSON.stringify(args)));
      // Between eras the token is the gateway's, and some tools answer it.
      const meta = isOneEra ? { _meta: { progressToken: 7 } } : {};
      await expectSame('tools/call', { name, arguments: args, ...meta }, headers);
    }
  }, 120_000);

  it.runIf(asking.length > 0)('names the other URL where a tool asks its client', async () => {
    for (const name of asking) {
      const params = { name: exposed(name), arguments: argumentsFor[name] };
      const { error } = JSON.parse(await sides.aggregate.answerTo('tools/call', params));
      expect(error?.data, name).toMatchObject({ code: 'needs_legacy_client' });
    }
  });

  it.runIf(lists.includes('prompts'))('gets every prompt with the same result', async () => {
    for (const { name, declared } of await prompts()) {
      const given = declared.map((argument) => [argument.name, 'one']);
      const args = argumentsFor[name] ?? Object.fromEntries(given);
      await expectSame('prompts/get', { name, arguments: args });
    }
  });

  it.runIf(lists.includes('prompts'))(
    'completes arguments of prompts in the same way',
    async () => {
      for (const { name, declared } of await prompts()) {
        const ref = { type: 'ref/prompt', name };
        for (const argument of declared) {
          const params = { ref, argument: { name: argument.name, value: 'p' } };
          await expectSame('completion/complete', params);
        }
      }
    },
  );

  it.runIf(lists.includes('resources'))('reads every resource with the same result', async () => {
    const resources = await ownEntries('resources');
    const templates = await ownEntries('resourceTemplates');
    const uris = [
      ...resources.map((entry): string => JSON.parse(entry).uri),
      ...templates.map((entry) => JSON.parse(entry).uriTemplate.replace(/\{\w+\}/g, '123')),
    ];
    for (const uri of uris) await expectSame('resources/read', { uri });
  });
}

interface Params {
  readonly name?: string;
  readonly ref?: { readonly type: string; readonly name: string };
  readonly [key: string]: unknown;
}

interface Schema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
}

/** Arguments that a schema may take. */
function exampleOf(schema: Schema): unknown {
  if (schema.default !== undefined) return schema.default;
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.type === 'string') return 'text';
  if (schema.type === 'number' || schema.type === 'integer') return 3;
  if (schema.type === 'boolean') return true;
  if (schema.type === 'array') return [];
  const properties = Object.entries(schema.properties ?? {});
  return Object.fromEntries(properties.map(([name, property]) => [name, exampleOf(property)]));
}
