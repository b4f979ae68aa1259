import * as z from 'zod';

/** The body of an endpoint that takes none: absent or `{}`. */
export const emptyBodySchema = z.strictObject({}).optional();

/** The metadata key for the fields that a write body ignores. */
export const READ_ONLY_FIELDS = 'readOnlyFields';

/**
 * The body of a PATCH or PUT. Unknown fields are rejected (`unrecognized_keys`). Fields that a read
 * returns and this write cannot set are dropped, so that a client can send back what it has read.
 */
export function writeBodySchema<Shape extends z.ZodRawShape>(
  shape: Shape,
  readOnly: readonly string[],
): z.ZodType<z.output<StrictObject<Shape>>, z.input<StrictObject<Shape>>>;
export function writeBodySchema(shape: z.ZodRawShape, readOnly: readonly string[]): z.ZodType {
  return z
    .preprocess((input) => withoutFields(input, readOnly), z.strictObject(shape))
    .meta({ [READ_ONLY_FIELDS]: readOnly });
}

type StrictObject<Shape extends z.ZodRawShape> = z.ZodObject<Shape, z.core.$strict>;

function withoutFields(input: unknown, names: readonly string[]): unknown {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input;
  return Object.fromEntries(Object.entries(input).filter(([name]) => !names.includes(name)));
}
