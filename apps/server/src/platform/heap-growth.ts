import { setFlagsFromString } from 'node:v8';

/** How much the heap may grow between two full collections, in percent of what the last one left. */
const GROWTH = 100;

/**
 * V8 counts the buffers that sockets are read into as part of the heap, and lets a heap of our size grow
 * by a tenth: relaying bodies of 1 MiB then collects all of it some ten times a second, which doubles
 * the CPU of a call.
 */
export function letHeapGrow(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH}`);
}
