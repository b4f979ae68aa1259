import { createMockGatehouse } from '@gatehouse/mocks';
import type { FuzzAnswer, FuzzRequest } from '../request.ts';
import { differences } from './compare.ts';
import { createNames, type Names } from './names.ts';

/** A request that the server has answered. */
export interface Exchange {
  readonly request: FuzzRequest;
  readonly answer: FuzzAnswer;
}

/** A mock that gets the same requests as the server, and must answer the same. */
export interface Mirror {
  /** Sends the mock what the server got. Returns the differences. */
  follow(exchange: Exchange): Promise<string[]>;
}

export interface MirrorOptions {
  /** Bearers of owners of otherwise empty organizations. */
  readonly owners: readonly string[];
  readonly isAnyOrder: boolean;
}

const BASE_URL = 'https://gatehouse.example.com/api/v1';

export function createMirror({ owners, isAnyOrder }: MirrorOptions): Mirror {
  const gatehouse = createMockGatehouse({
    baseUrl: BASE_URL,
    allowedNetworks: ['127.0.0.0/8', '::1/128'],
  });
  const [handler] = gatehouse.handlers;
  if (!handler) throw new Error('The mock has no handler.');
  const names = createNames();
  for (const owner of owners) {
    names.bind(owner, gatehouse.fixtures.addOrganization('Other').owner.token);
  }
  return {
    async follow({ request, answer }) {
      const result = await handler.run({
        request: translated(request, names) as Parameters<typeof handler.run>[0]['request'],
        requestId: 'mirror',
      });
      if (!result?.response) throw new Error('The mock did not answer.');
      return differences(answer, await answerOf(result.response), { names, isAnyOrder });
    },
  };
}

function translated({ method, path, search, headers, body, bearer }: FuzzRequest, names: Names) {
  const target = BASE_URL + names.translate(path + (search === '' ? '' : `?${search}`));
  const sent = new Headers();
  for (const [name, value] of headers) sent.append(name, value);
  if (bearer !== undefined) sent.set('authorization', `Bearer ${names.translate(bearer)}`);
  const text = body === undefined || method === 'GET' ? null : bytesOf(body, names);
  return new Request(target, { method, headers: sent, body: text });
}

/** What is no UTF-8 holds no ids. */
function bytesOf(body: Buffer, names: Names): Buffer<ArrayBuffer> {
  const text = body.toString();
  const isText = Buffer.from(text).equals(body);
  return isText ? Buffer.from(names.translate(text)) : Buffer.from(body);
}

async function answerOf(response: Response): Promise<FuzzAnswer> {
  const text = await response.text();
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    text,
    body: text === '' ? undefined : JSON.parse(text),
  };
}
