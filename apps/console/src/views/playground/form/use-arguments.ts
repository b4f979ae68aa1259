import type { JsonObject } from '@gatehouse/contract';
import { useState } from 'react';
import {
  type Errors,
  initialValues,
  parseArguments,
  readArguments,
  type Values,
  valuesFor,
} from './arguments.ts';
import type { ArgumentField } from './fields.ts';

const NO_ERRORS: Errors = new Map();

/** What is typed into the form of a tool: into its fields, or as JSON. */
export function useArguments(fields: readonly ArgumentField[] | undefined) {
  const [values, setValues] = useState<Values>(() => initialValues(fields ?? []));
  const [json, setJson] = useState<string | undefined>(() =>
    fields === undefined ? '{}' : undefined,
  );
  const [errors, setErrors] = useState(NO_ERRORS);
  const [jsonError, setJsonError] = useState<string>();
  const [isDirty, setDirty] = useState(false);
  return {
    values,
    errors,
    /** Undefined while the fields are shown. */
    json,
    jsonError,
    isDirty,
    set(name: string, value: string) {
      setDirty(true);
      setValues(new Map(values).set(name, value));
      setErrors(NO_ERRORS);
    },
    setJson(text: string) {
      setDirty(true);
      setJson(text);
      setJsonError(undefined);
    },
    /** The arguments; undefined where something is wrong with them, which is shown then. */
    read(): JsonObject | undefined {
      if (json === undefined) {
        const read = readArguments(fields ?? [], values);
        setErrors(read.errors);
        return read.errors.size === 0 ? read.args : undefined;
      }
      const read = parseArguments(json);
      setJsonError('error' in read ? read.error : undefined);
      return 'args' in read ? read.args : undefined;
    },
    showJson() {
      setJson(JSON.stringify(readArguments(fields ?? [], values).args, null, 2));
    },
    /** Only where each argument has its field: nothing that was typed is lost. */
    showFields() {
      const read = parseArguments(json ?? '');
      if ('error' in read) return setJsonError(read.error);
      const kept = valuesFor(fields ?? [], read.args);
      if (kept === undefined)
        return setJsonError('The form does not have a field for all of this.');
      setValues(kept);
      setErrors(NO_ERRORS);
      setJson(undefined);
    },
  };
}
