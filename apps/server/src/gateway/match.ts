const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
/** Some clients guess the transport from the end of the URL, and take `/mcp` for streamable HTTP. */
const END = '(?:/mcp)?/?(?:\\?|$)';
const TARGET = new RegExp(`^/mcp/${UUID}/${UUID}${END}`, 'i');
const KEY_START = '/mcp/'.length;
const KEY_END = KEY_START + 36 + 1 + 36;

/** Whether a raw request target is a gateway URL: only in path form, and nothing is decoded or normalized. `/mcp` or a slash at the end leads to the same. */
export function isGatewayTarget(target: string | undefined): target is string {
  return target?.startsWith('/mcp/') === true && TARGET.test(target);
}

/** `<application id>/<integration id>` of a gateway URL, in lower case. */
export function routeKeyOf(target: string): string {
  return target.slice(KEY_START, KEY_END).toLowerCase();
}
