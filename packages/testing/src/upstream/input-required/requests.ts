import {
  acceptedContent,
  createRequestStateCodec,
  type InputRequest,
  inputRequired,
  type RequestStateCodec,
} from '@modelcontextprotocol/server';
import { z } from 'zod';

/** What a fixture puts into its `requestState`. */
export interface FixtureState {
  readonly tool: string;
  readonly round?: number;
  readonly name?: string;
}

/** `inputResponses` as a handler receives them. */
export type Responses = Record<string, unknown> | undefined;

const nameSchema = z.object({ name: z.string() });
const confirmSchema = z.object({ ok: z.boolean() });

/** Seals `requestState` with a key of this codec only, so that a changed state is rejected. */
export function createFixtureStates(): RequestStateCodec<FixtureState> {
  return createRequestStateCodec({ key: crypto.getRandomValues(new Uint8Array(32)) });
}

/** Asks the user for a name. */
export function askName(message = 'What is your name?'): InputRequest {
  return inputRequired.elicit({ message, requestedSchema: nameSchema });
}

/** The accepted, valid name under `key`. */
export function acceptedName(responses: Responses, key: string): string | undefined {
  return acceptedContent(responses, key, nameSchema)?.name;
}

/** Asks the user to confirm. */
export function askConfirmation(): InputRequest {
  return inputRequired.elicit({ message: 'Please confirm', requestedSchema: confirmSchema });
}

/** Whether a valid confirmation was accepted under `confirm`. */
export function isConfirmed(responses: Responses): boolean {
  return acceptedContent(responses, 'confirm', confirmSchema) !== undefined;
}

/** Asks the client's model for a short text. */
export function askModel(text: string): InputRequest {
  return inputRequired.createMessage({
    messages: [{ role: 'user', content: { type: 'text', text } }],
    maxTokens: 100,
  });
}

const sampledSchema = z.object({ content: z.object({ text: z.string() }) });

/** The model's text under `key`. */
export function sampledText(responses: Responses, key: string): string | undefined {
  return sampledSchema.safeParse(responses?.[key]).data?.content.text;
}

const rootsSchema = z.object({ roots: z.array(z.object({ uri: z.string() })) });

/** The URIs of the client's roots under `key`. */
export function listedRoots(responses: Responses, key: string): string[] | undefined {
  return rootsSchema.safeParse(responses?.[key]).data?.roots.map((root) => root.uri);
}
