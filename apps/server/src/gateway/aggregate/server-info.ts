import type { AggregateApplication } from './applications.ts';

/** Of the application as it was read last. */
const written = new WeakMap<AggregateApplication, string>();

/** The same as raw JSON. */
export function serverInfoJson(application: AggregateApplication, version: string): string {
  const json = written.get(application) ?? JSON.stringify(serverInfoOf(application, version));
  written.set(application, json);
  return json;
}

/** This server, as its results tell it. @param version of the service */
export function serverInfoOf({ name }: AggregateApplication, version: string): object {
  return { name: 'gatehouse', title: name, version };
}
