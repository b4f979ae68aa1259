import { isJsonObject, type JsonObject } from '@gatehouse/contract';
import type { Tool } from '@gatehouse/sdk';
import { readArguments } from '../playground/form/arguments.ts';
import { type ArgumentField, fieldsOf, type Kind } from '../playground/form/fields.ts';
import type { SampleCall } from './clients.ts';

/** Arguments of a required property without a default. A value of JSON can be anything, so there is no sample. */
const SAMPLES: Readonly<Record<Kind, string>> = {
  text: 'hello',
  number: '1',
  integer: '1',
  boolean: 'true',
  choice: '0',
  json: '',
};

/** How tools are named where they are called. */
interface Names {
  /** Of the integration at the one URL; undefined at its own URL. */
  readonly alias: string | undefined;
  readonly longest: number;
}

/** A call of the first tool that takes sample arguments, if possible of one that says it changes nothing. */
export function sampleCallOf(
  tools: readonly Tool[],
  { alias, longest }: Names,
): SampleCall | undefined {
  const calls = tools.flatMap(({ name, readOnly, definition }) => {
    const args = sampleArguments(definition);
    const exposed = alias ? `${alias}__${name}` : name;
    return args === undefined || exposed.length > longest
      ? []
      : [{ name: exposed, args, readOnly }];
  });
  const chosen = calls.find(({ readOnly }) => readOnly) ?? calls[0];
  return chosen && { name: chosen.name, args: chosen.args };
}

function sampleArguments(definition: JsonObject | null): JsonObject | undefined {
  if (!isJsonObject(definition)) return undefined;
  const required = fieldsOf(definition.inputSchema)?.filter(({ isRequired }) => isRequired);
  if (required === undefined) return undefined;
  const values = new Map(required.map((field) => [field.name, sampleOf(field)]));
  const { args, errors } = readArguments(required, values);
  return errors.size === 0 ? args : undefined;
}

function sampleOf({ initial, kind }: ArgumentField): string {
  return initial === '' ? SAMPLES[kind] : initial;
}
