import { isJsonObject, type JsonObject } from '../shared/json.ts';

/** Fields that mean the same everywhere, for schemas without a description. */
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
  userId: 'The id of the member.',
  applicationName: 'The name of the application.',
  integrationName: 'The name of the integration.',
  userName: 'The name of the member.',
  userEmail: 'The e-mail address of the member.',
  total: 'How many there are.',
  attachedAt: 'When it was attached.',
  items: 'The items of this page.',
  nextCursor: 'The `cursor` of the next page; null on the last one.',
};

/** What a client of the document has to expect of every enumeration. */
export const OPEN_ENUM = 'Responses may hold further values in later versions.';

/** Adds the texts of the table to fields without a description. */
export function describeFields(schema: JsonObject): JsonObject {
  const described = { ...schema };
  if (isJsonObject(schema.properties)) {
    const fields = Object.entries(schema.properties).map(([name, field]) => [
      name,
      isJsonObject(field) ? describeFields(withText(field, fieldTexts[name])) : field,
    ]);
    described.properties = Object.fromEntries(fields);
  }
  if (isJsonObject(schema.items)) described.items = describeFields(schema.items);
  for (const key of ['anyOf', 'oneOf']) {
    const several = schema[key];
    if (!Array.isArray(several)) continue;
    described[key] = several.map((one) => (isJsonObject(one) ? describeFields(one) : one));
  }
  return described;
}

function withText(schema: JsonObject, text: string | undefined): JsonObject {
  const hasText = schema.description !== undefined || schema.$ref !== undefined;
  return text === undefined || hasText ? schema : { ...schema, description: text };
}
