import { fieldsOf, text } from './fields.ts';

const problemOf = fieldsOf({ detail: text, title: text, requestId: text });

export const UNREACHABLE = 'Gatehouse cannot be reached. Check your network.';

/** A refusal of something that is not asked by the client of the API. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly sentence: string;
  readonly requestId: string | undefined;
  constructor(sentence: string, requestId: string | undefined) {
    super(sentence);
    this.sentence = sentence;
    this.requestId = requestId;
  }
}

/** The problem in a response, or its status where a proxy has responded. */
export async function refusalOf(response: Response): Promise<Refusal> {
  const body: unknown = await response.json().catch(() => undefined);
  const { detail, title, requestId } = problemOf(body);
  return new Refusal(detail ?? title ?? `The answer was HTTP ${response.status}.`, requestId);
}

/** A request that the client of the API does not send. @throws Refusal where there is no response */
export async function send(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (error) {
    throw error instanceof TypeError ? new Refusal(UNREACHABLE, undefined) : error;
  }
}
