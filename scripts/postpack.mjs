// Runs after a package is packed: takes back what `prepack.mjs` has put there for npm.
import { restore } from './lib/published.mjs';

restore(process.cwd());
