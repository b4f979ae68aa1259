import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { beforeEach, expect, it } from 'vitest';
import { useRules } from './fixture.ts';

const { fixture, ids, setRules, post } = useRules();

const CALL = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"write"}}';
const [BEGINNING, END] = [CALL.slice(0, 40), CALL.slice(40)];

beforeEach(async () => {
  await setRules(null);
  fixture.upstream.otherwise(({ respondResult }) => respondResult({ sent: true }));
});

/** A POST that has been admitted, and has sent the beginning of its body. */
async function begin(headers: Record<string, string | number>): Promise<ClientRequest> {
  // What admission needs is in memory afterwards.
  await post(CALL);
  const own = { authorization: `Bearer ${fixture.server.owner}`, expect: '100-continue' };
  const options = { method: 'POST', agent: false, headers: { ...own, ...headers } };
  const req = request(fixture.urlOf(ids.integrationId), options);
  req.flushHeaders();
  await once(req, 'continue');
  req.write(BEGINNING);
  return req;
}

async function responseTo(req: ClientRequest) {
  const [res] = (await once(req, 'response')) as [IncomingMessage];
  return { status: res.statusCode, headers: res.headers, text: await text(res) };
}

it('a call with a body that has not arrived when the first rule is set is judged by it', async () => {
  const req = await begin({ 'content-length': CALL.length });
  const before = fixture.upstream.requests.length;
  await setRules({ tools: { deny: ['write'] } });
  req.end(END);
  expect(JSON.parse((await responseTo(req)).text)).toMatchObject({ error: { code: -31003 } });
  expect(fixture.upstream.requests).toHaveLength(before);
});

it('a call with a body that is partly upstream when the first rule is set is ended', async () => {
  const req = await begin({ 'transfer-encoding': 'chunked' });
  const responding = responseTo(req);
  const received = () => fixture.upstream.requests.at(-1)?.body.toString();
  await expect.poll(received).toBe(BEGINNING);
  await setRules({ tools: { deny: ['write'] } });
  const { status, headers } = await responding;
  expect({ status, after: headers['retry-after'] }).toEqual({ status: 503, after: '1' });
  req.end(END);
  expect(received()).toBe(BEGINNING);
});

it('a call with a body that has not arrived goes up under rules that allow it', async () => {
  const req = await begin({ 'content-length': CALL.length });
  await setRules({ tools: { allow: ['write'] } });
  req.end(END);
  expect(JSON.parse((await responseTo(req)).text)).toMatchObject({ result: { sent: true } });
});
