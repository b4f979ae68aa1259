import * as z from 'zod';

/** The body of an endpoint without input: absent or `{}`. */
export const emptyBodySchema = z.strictObject({}).optional();

/** The fields that a read returns and a write cannot set. */
interface ReadOnlyFields {
  /** Taken only as they are, because someone may have meant to change them. */
  readonly fixed: readonly string[];
  /** Taken whatever they say: they change by themselves, so a value read a moment ago is no mistake. */
  readonly moving: readonly string[];
}

/** The read-only fields of the schemas that {@link writeBodySchema} has made. */
export const readOnlyFields = z.registry<ReadOnlyFields>();

/**
 * The body of a PATCH or PUT. Unknown fields are rejected (`unrecognized_keys`). Read-only fields are
 * dropped, so that a client can send back what it has read; the fixed ones are compared where the
 * present values are known (`fixedFieldErrors`).
 */
export function writeBodySchema<Shape extends z.ZodRawShape>(
  shape: Shape,
  readOnly: ReadOnlyFields,
): z.ZodType<z.output<StrictObject<Shape>>, z.input<StrictObject<Shape>>>;
export function writeBodySchema(shape: z.ZodRawShape, readOnly: ReadOnlyFields): z.ZodType {
  const names = [...readOnly.fixed, ...readOnly.moving];
  return z
    .preprocess((input) => withoutFields(input, names), z.strictObject(shape))
    .register(readOnlyFields, readOnly);
}

type StrictObject<Shape extends z.ZodRawShape> = z.ZodObject<Shape, z.core.$strict>;

function withoutFields(input: unknown, names: readonly string[]): unknown {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input;
  return Object.fromEntries(Object.entries(input).filter(([name]) => !names.includes(name)));
}
