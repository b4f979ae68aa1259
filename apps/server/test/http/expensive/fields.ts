import type * as z from 'zod';

/** One place of a body, or of a query: puts a value there. */
export interface Field {
  /** RFC 6901 pointer, for the name of a failure. */
  readonly pointer: string;
  /** What is expected there. */
  readonly schema: z.core.$ZodType;
  with(value: unknown): unknown;
}

type Place = Omit<Field, 'schema'>;

/**
 * Every place of a schema that a caller can fill, the whole included.
 *
 * @throws Error for a kind of schema that no request of the contract has had so far: decide here what is inside it
 */
export function fieldsOf(schema: z.core.$ZodType): Field[] {
  return placesIn(schema, { pointer: '', with: (value) => value });
}

function placesIn(schema: z.core.$ZodType, where: Place): Field[] {
  const place = { ...where, schema };
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'object':
      return [
        place,
        ...Object.entries(def.shape).flatMap(([name, inner]) =>
          placesIn(inner, inObject(place, name)),
        ),
      ];
    case 'record':
      return [place, ...placesIn(def.valueType, inObject(place, 'one'))];
    case 'array':
      return [place, ...placesIn(def.element, inArray(place))];
    case 'custom':
      return ['a', 'properties', 'allOf'].map((name) => ({ ...inObject(place, name), schema }));
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
      return placesIn(def.innerType, place);
    case 'pipe':
      return placesIn(isTransform(def.in) ? def.out : def.in, place);
    case 'union':
      return [place];
    case 'string':
    case 'number':
    case 'boolean':
    case 'enum':
      return [place];
    default:
      throw new Error(`No field of a request has had the type ${def.type} so far.`);
  }
}

function isTransform(schema: z.core.$ZodType): boolean {
  return schema._zod.def.type === 'transform';
}

function inObject(outer: Place, name: string): Place {
  return {
    pointer: `${outer.pointer}/${name}`,
    with: (value) => outer.with({ [name]: value }),
  };
}

function inArray(outer: Place): Place {
  return { pointer: `${outer.pointer}/0`, with: (value) => outer.with([value]) };
}
