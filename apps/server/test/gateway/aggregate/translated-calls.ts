import type { Exchange, ScriptedUpstream } from '@gatehouse/testing';
import type { Answer } from '../fixture.ts';

/** The upstream answers calls like this. @returns what else it gets */
export function answerCalls(
  upstream: ScriptedUpstream,
  onCall: (exchange: Exchange) => void | Promise<void>,
): readonly string[] {
  const others: string[] = [];
  upstream.otherwise((exchange) => {
    const { message, request } = exchange;
    if (message?.method === 'tools/call') return onCall(exchange);
    if (message?.method === 'initialize') {
      return exchange.respondResult(
        {
          protocolVersion: '2025-11-25',
          capabilities: {},
          serverInfo: { name: 's', version: '1' },
        },
        { 'Mcp-Session-Id': 'of-the-upstream' },
      );
    }
    if (message?.method !== 'notifications/initialized') others.push(request.body.toString());
    exchange.respond({ status: 202 });
  });
  return others;
}

/** A call with numbers that a parser would not give back as they are. */
export const callOf = (name: string, meta: object, more = '') =>
  `{"jsonrpc":"2.0","id":12345678901234567890,"method":"tools/call","params":{"_meta":${JSON.stringify(meta)},"name":"${name}","arguments":{"n":1.50e+3}${more}}}`;

export const parsed = async (answer: Promise<Answer>) => {
  const { status, text } = await answer;
  return { status, ...JSON.parse(await text()) };
};
