interface HasProcess {
  readonly process?: { readonly env?: Readonly<Record<string, string | undefined>> };
}

/**
 * An environment variable, trimmed; `undefined` when it is empty, or where there is no `process`
 * (browsers, some workers) or no permission to read it (Deno throws then).
 */
export function readEnvironment(name: string): string | undefined {
  try {
    return (globalThis as HasProcess).process?.env?.[name]?.trim() || undefined;
  } catch {
    return undefined;
  }
}
