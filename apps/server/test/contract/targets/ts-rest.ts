import { contract } from '@gatehouse/contract';
import { initClient } from '@ts-rest/core';
import { operationOf } from './operation-of.ts';
import type { Answer, Client, Service } from './target.ts';

/** Loosely typed: cases send what the types of the contract forbid, too. */
// biome-ignore lint/suspicious/noExplicitAny: see above
type Loose = any;

/** The ts-rest client of the contract, which also parses every answer by it. */
export function tsRestClient({ baseUrl }: Service): Client {
  const client: Loose = initClient(contract, {
    baseUrl,
    baseHeaders: {},
    throwOnUnknownStatus: true,
    validateResponse: true,
  });
  return (call) => {
    const operation = operationOf(call);
    // It sends no body for null.
    if (!operation || call.body === null) return undefined;
    const { resource, name, params, query } = operation;
    const authorization = call.token === null ? {} : { authorization: `Bearer ${call.token}` };
    const extraHeaders = { ...authorization, ...call.headers };
    return answerOf(client[resource][name]({ params, query, body: call.body, extraHeaders }));
  };
}

async function answerOf(answer: Promise<Answer>): Promise<Answer> {
  const { status, headers, body } = await answer;
  return { status, headers, body: status === 204 ? undefined : body };
}
