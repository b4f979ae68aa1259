import { fileURLToPath } from 'node:url';

/** The path of a file of the folder `deploy`. */
export function deployFile(name: string): string {
  return fileURLToPath(new URL(`../../../../../deploy/${name}`, import.meta.url));
}
