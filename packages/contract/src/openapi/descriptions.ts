import { isJsonObject, type JsonObject } from '../shared/json.ts';

/** What the components are, by name: those that others refer to. */
export const componentTexts: Readonly<Record<string, string>> = {
  TokenEndpointAuthMethod:
    'How Gatehouse authenticates at the token endpoint of the provider (RFC 7591 section 2).',
  ClientType: 'Whether an OAuth client can keep a secret (RFC 6749 section 2.1).',
  TokenScope:
    '`mcp`: the gateway; `management:read` and `management:write`: this API, the latter also to read.',
  MemberRole:
    'What a user may do: a member what is their own, an admin everything but what concerns owners.',
  IntegrationOauthInput: 'The part of an OAuth configuration that comes with an integration.',
  ApplicationOauthInput: 'The OAuth client of a new application.',
  Integration: 'A remote MCP server, or a store of credentials for one, as the caller sees it.',
  Discovery: 'What was found at the URL.',
  IntegrationOauthConfig: 'The OAuth configuration of an integration, without its secrets.',
  Connection: 'The caller’s credential for one integration.',
  Application: 'An OAuth client and the integrations that are attached to it.',
  ApplicationOauth: 'The OAuth client of an application, without its secret.',
  ApplicationOauthWithSecret: 'The OAuth client of an application, with a secret that is new.',
  User: 'The person behind the token.',
  Organization: 'The organization of the user.',
  Authentication: 'How the request was authenticated.',
  Token: 'A personal access token, without its secret.',
  Member: 'A user of the organization.',
  RevokedAccess: 'How many of each have ended. What had ended before is not counted.',
  Problem: 'Why a request was refused (RFC 9457).',
};

/** Fields that mean the same wherever they are, and have no words of their own in their schema. */
export const fieldTexts: Readonly<Record<string, string>> = {
  id: 'The id: a UUID that never changes.',
  name: 'The name to show to people.',
  email: 'The e-mail address, in lower case.',
  ownerUserId: 'The id of the user who created it.',
  applicationId: 'The id of the application.',
  integrationId: 'The id of the integration.',
  createdAt: 'When it was created.',
  updatedAt: 'When its configuration was changed last.',
  archivedAt: 'When it was archived; null unless it is.',
  attachedAt: 'When it was attached.',
  items: 'The items of this page.',
  nextCursor: 'The `cursor` of the next page; null on the last one.',
};

/** What a client of the document has to expect of every enumeration. */
export const OPEN_ENUM = 'Responses may hold further values in later versions.';

/** Adds the texts of the tables where a schema has none of its own. */
export function describeComponent(name: string, schema: JsonObject): JsonObject {
  return describeFields(withText(schema, componentTexts[name]));
}

function describeFields(schema: JsonObject): JsonObject {
  const described = { ...schema };
  if (isJsonObject(schema.properties)) {
    const fields = Object.entries(schema.properties).map(([name, field]) => [
      name,
      isJsonObject(field) ? describeFields(withText(field, fieldTexts[name])) : field,
    ]);
    described.properties = Object.fromEntries(fields);
  }
  if (isJsonObject(schema.items)) described.items = describeFields(schema.items);
  if (Array.isArray(schema.anyOf)) {
    described.anyOf = schema.anyOf.map((one) => (isJsonObject(one) ? describeFields(one) : one));
  }
  return described;
}

function withText(schema: JsonObject, text: string | undefined): JsonObject {
  const hasText = schema.description !== undefined || schema.$ref !== undefined;
  return text === undefined || hasText ? schema : { ...schema, description: text };
}
