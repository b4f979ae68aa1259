import { isJsonObject, type JsonObject } from '@gatehouse/contract';
import { LAST_LEGACY_VERSION } from './era.ts';
import { fieldsOf, isObject, type RpcRequest } from './server/messages.ts';

/** What a legacy client has said in `initialize`, so that it can be said again. */
export interface ClientHello {
  /** The version that the client was answered with, and speaks since. */
  readonly protocolVersion: string;
  readonly capabilities: JsonObject;
  readonly clientInfo: JsonObject;
}

/** Bytes of all of it as JSON: it travels in a header of every request. */
export const MAX_HELLO = 1024;

/** Bytes of `clientInfo`: a longer one has icons or a description, which nobody needs. */
const MAX_CLIENT_INFO = 400;
const MAX_NAME = 100;
const MAX_VERSION = 50;

/** Capabilities that are looked at. The protocol has about ten. */
const MAX_CAPABILITIES = 50;

/**
 * What an `initialize` says, without the capabilities that do not fit.
 *
 * @param protocolVersion the answer to it, one of ours
 */
export function helloOf({ params }: RpcRequest, protocolVersion: string): ClientHello {
  let hello: ClientHello = {
    protocolVersion,
    capabilities: {},
    clientInfo: shortened(params.clientInfo),
  };
  const capabilities = isJsonObject(params.capabilities) ? params.capabilities : {};
  for (const [name, value] of Object.entries(capabilities).slice(0, MAX_CAPABILITIES)) {
    const longer = { ...hello, capabilities: { ...hello.capabilities, [name]: value } };
    if (sizeOf(longer) <= MAX_HELLO) hello = longer;
  }
  return hello;
}

/** Whether the client can be asked to open a URL: since 2025-11-25. */
export function opensUrls({ protocolVersion, capabilities }: ClientHello): boolean {
  const { elicitation } = capabilities;
  return protocolVersion === LAST_LEGACY_VERSION && isObject(fieldsOf(elicitation).url);
}

function shortened(clientInfo: unknown): JsonObject {
  const info = isJsonObject(clientInfo) ? clientInfo : {};
  if (sizeOf(info) <= MAX_CLIENT_INFO) return info;
  return { name: cut(info.name, MAX_NAME), version: cut(info.version, MAX_VERSION) };
}

/** @param length characters of up to four bytes */
function cut(text: unknown, length: number): string {
  return typeof text === 'string' ? [...text.slice(0, 2 * length)].slice(0, length).join('') : '';
}

function sizeOf(value: object): number {
  return Buffer.byteLength(JSON.stringify(value));
}
