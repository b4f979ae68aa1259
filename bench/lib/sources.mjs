import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';

/** Finds the source file of a built function. @returns a function of its place, `<file>:<offset>` */
export function sourceFinder(main) {
  const finders = new Map();
  return (place) => {
    const [file, offset] = place.split(':');
    if (!finders.has(file)) finders.set(file, finderOf(join(dirname(main), file)));
    return finders.get(file)(Number(offset));
  };
}

function finderOf(path) {
  const text = readFileSync(path, 'utf8');
  const map = new SourceMap(JSON.parse(readFileSync(`${path}.map`, 'utf8')));
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  const built = '/apps/server/dist';
  return (offset) => {
    const line = lineOf(starts, offset);
    const { originalSource = '' } = map.findEntry(line, offset - starts[line]);
    return relative('/', resolve(built, originalSource));
  };
}

/** The last line that starts at the offset or before it. */
function lineOf(starts, offset) {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (starts[middle] <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}
