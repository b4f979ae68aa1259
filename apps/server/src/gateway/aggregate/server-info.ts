import type { AggregateApplication } from './applications.ts';

/** This server, as its results tell it. @param version of the service */
export function serverInfoOf({ name }: AggregateApplication, version: string): object {
  return { name: 'gatehouse', title: name, version };
}
