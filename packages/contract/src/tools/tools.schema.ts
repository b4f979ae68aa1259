import * as z from 'zod';
import { components } from '../shared/components.ts';
import { idSchema } from '../shared/ids.ts';
import { isJsonObject, jsonObjectSchema } from '../shared/json.ts';
import { limits } from '../shared/limits.ts';
import { pageQuerySchema, pageSchema } from '../shared/pagination.ts';
import { atMost, isStorable } from '../shared/text.ts';
import { timestampSchema } from '../shared/timestamps.ts';

export const toolStateSchema = z.enum(['new', 'changed', 'approved']);

const fingerprintSchema = z
  .string()
  .regex(/^(raw:)?[0-9a-f]{64}$/, 'Must be the fingerprint of a tool, as the list has it.');

const toolApprovalSchema = z
  .object({
    fingerprint: z.string().describe('Of the definition.'),
    approvedAt: timestampSchema.describe('When it was approved.'),
    approvedBy: idSchema.nullable().describe('The member who approved it.'),
  })
  .register(components, { id: 'ToolApproval', description: 'A definition that is approved.' });

const toolChangeSchema = z
  .object({
    op: z.enum(['add', 'remove', 'replace']),
    path: z.string().describe('A JSON pointer (RFC 6901) into the definition.'),
    value: z.unknown().optional().describe('What is there now; absent where it was removed.'),
  })
  .register(components, { id: 'ToolChange', description: 'One operation of a JSON Patch.' });

export const toolSchema = z
  .object({
    name: z.string(),
    state: toolStateSchema.describe(
      '`approved`: as an admin approved it; `changed`: only other definitions of it are approved; ' +
        '`new`: no definition of it is approved.',
    ),
    fingerprint: z
      .string()
      .describe(
        'SHA-256 of its name, title, description, icons, schemas, annotations, execution and page (`ui`, ' +
          '`ui/resourceUri` and `openai/outputTemplate` in `_meta`), in hexadecimal; of its bytes, after `raw:`, if ' +
          'they are long or could be read in two ways.',
      ),
    approved: z.array(toolApprovalSchema).describe('What is approved of it, latest first.'),
    readOnly: z.boolean().describe('Whether it says of itself that it changes nothing.'),
    definition: jsonObjectSchema
      .nullable()
      .describe(
        'What the fingerprint is of, as it was listed last, with the SHA-256 of long texts in icons; `null` if it is too large to be shown: more than ' +
          `64 KiB, ${limits.bodyValues} values or ${limits.bodyDepth} levels.`,
      ),
    changes: z
      .array(toolChangeSchema)
      .nullable()
      .describe(
        'A JSON Patch (RFC 6902) that makes `definition` of the definition that was approved last; `null` ' +
          'without one, or if one of the two is too large to be shown.',
      ),
    firstSeenAt: timestampSchema.describe('When this definition was first seen.'),
    lastSeenAt: timestampSchema.describe('When the server began to list this definition last.'),
  })
  .register(components, {
    id: 'Tool',
    description: 'A tool of an integration, by the definition that was seen last.',
  });

export const listToolsQuerySchema = pageQuerySchema.extend({ state: toolStateSchema.optional() });
export const toolPageSchema = pageSchema(toolSchema).register(components, { id: 'ToolPage' });

export const toolFingerprintsBodySchema = z
  .strictObject({
    fingerprints: fingerprintsSchema().describe(
      `By the names of the tools, at most ${limits.tools.toLocaleString('en')}.`,
    ),
  })
  .register(components, { id: 'ToolFingerprintsBody' });

/** The names are counted before they are parsed. */
function fingerprintsSchema(): z.ZodType<Record<string, string>, Record<string, string>> {
  const nameSchema = atMost(z.string(), limits.toolName).refine(
    isStorable,
    'Must not contain U+0000 or half a surrogate pair.',
  );
  return z.preprocess(
    (input, context) => {
      if (!isJsonObject(input)) return input;
      if (Object.keys(input).length > limits.tools) {
        const message = `Must not have more than ${limits.tools} properties.`;
        context.addIssue({ code: 'custom', message });
      } else if (Object.hasOwn(input, '__proto__')) {
        const message = 'Must not have this name.';
        context.addIssue({ code: 'custom', path: ['__proto__'], message });
      }
      return input;
    },
    z.record(nameSchema, fingerprintSchema),
  );
}

export const changedToolsResponseSchema = z
  .object({
    changed: z
      .array(z.string())
      .describe('The names of the tools that were not already so, in order.'),
  })
  .register(components, { id: 'ChangedToolsResponse' });

export type ToolState = z.output<typeof toolStateSchema>;
export type ToolApproval = z.output<typeof toolApprovalSchema>;
export type ToolChange = z.output<typeof toolChangeSchema>;
export type Tool = z.output<typeof toolSchema>;
export type ListToolsQuery = z.output<typeof listToolsQuerySchema>;
export type ToolFingerprintsBody = z.output<typeof toolFingerprintsBodySchema>;
