import { beforeAll, describe, expect, it } from 'vitest';
import { use } from '../../../support/use.ts';
import { useFixture } from '../../fixture.ts';
import { startScriptedServer } from '../scripted-server.ts';
import { openSides } from './open-sides.ts';
import { entriesOf } from './texts.ts';

const ERAS = ['legacy', 'modern'] as const;

const fixture = useFixture();
const scripted = use(() => startScriptedServer('scripted'));

/** Entries, arguments and results that a parser would not give back as they were. */
const ENTRY =
  '{ "x-unknown" : 12345678901234567890.10 ,\n"name":"odd", "inputSchema":{"type":"object","maximum":1e400, "\\u0061":1},"_meta" : { "a":0.1000, "gatehouse/integration":"forged", "b" : [1 , 2]} , "last":-0}';
const ARGUMENTS = '{"n":12345678901234567890, "m" :1.0, "s":"\\u00e9\\/"}';
const RESULT =
  '{"content":[ ] ,"structuredContent":{"n":12345678901234567890,"e":1E+2,"s":"\\u00e9\\/"},"_meta":{"k":-0.0}, "unknown":[{}]}';

const OF_MODERN =
  '"resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"},';

/** As a server of that era says it. */
const resultOf = (era: 'legacy' | 'modern') =>
  era === 'legacy' ? RESULT : RESULT.replace('"_meta":{', OF_MODERN);

/** Without what only one era says, in the gateway's own words. */
const withoutEra = (text: string) =>
  text
    .replace('"resultType":"complete",', '')
    .replace(/"io.modelcontextprotocol\/serverInfo":\{[^}]*\},/, '');

describe.each(ERAS)('a client of the %s era', (client) => {
  describe.each(ERAS)('before a server of the %s era', (upstream) => {
    let sides: Awaited<ReturnType<typeof openSides>>;

    beforeAll(async () => {
      const answering = (result: string): Parameters<typeof scripted.on>[1] => {
        const headers = { 'Content-Type': 'application/json' };
        return ({ respond, message }) => {
          const id = JSON.stringify(message?.id);
          respond({ headers, body: `{"jsonrpc":"2.0","id":${id},"result":${result}}` });
        };
      };
      scripted.on('tools/list', answering(`{"tools":[${ENTRY}]}`));
      scripted.on('tools/call', answering(resultOf(upstream)));
      const eras = { client, upstream };
      sides = await openSides(fixture, { name: `Odd ${client}`, url: scripted.url }, eras);
    });

    it('gets entries byte for byte, but for the name and one key of _meta', async () => {
      const { aggregate, integration } = sides;
      const expected = ENTRY.replace('"name":"odd"', `"name":"${integration.alias}__odd"`)
        .replace(
          '{ "a":0.1000',
          `{ "gatehouse/integration":${JSON.stringify(integration)},"a":0.1000`,
        )
        .replace(', "gatehouse/integration":"forged"', '');
      expect(entriesOf(await aggregate.answerTo('tools/list'), 'tools')).toEqual([expected]);
    });

    it('sends arguments and gets results byte for byte', async () => {
      const { aggregate, integration } = sides;
      const name = `${integration.alias}__odd`;
      const params = `{"name" : "${name}","arguments":${ARGUMENTS}, "unknown":1.50}`;
      const answer = await aggregate.answerTo('tools/call', params);
      const result = client === 'modern' && upstream === 'modern' ? resultOf('modern') : RESULT;
      const passed = client === upstream || client === 'legacy' ? answer : withoutEra(answer);
      expect(passed).toBe(`{"jsonrpc":"2.0","id":5,"result":${result}}`);
      const sent = scripted.received('tools/call').at(-1)?.request.body.toString();
      expect(sent).toContain(`"arguments":${ARGUMENTS}, "unknown":1.50`);
      expect(sent).toContain('"name" : "odd"');
    });
  });
});
