import { limits } from '@gatehouse/contract';

/** What fits into a body beside the way to the field. */
const BYTES = limits.bodyBytes - 1024;

const filled = (begin: string, part: string, end: string): string =>
  begin +
  part.repeat(Math.floor((BYTES - begin.length - end.length) / Buffer.byteLength(part))) +
  end;

/** A list or object with as many parts as a body may have values, and as long as fits. */
function full(open: string, part: (index: number) => string, close: string, count: number): string {
  const parts: string[] = [];
  let bytes = open.length + close.length;
  for (let index = 0; index < count; index += 1) {
    const next = part(index);
    bytes += Buffer.byteLength(next) + 1;
    if (bytes > BYTES) break;
    parts.push(next);
  }
  return open + parts.join() + close;
}

const MANY = limits.bodyValues - 100;
const uuid = (index: number) => `"00000000-0000-4000-8000-${index.toString(16).padStart(12, '0')}"`;

/** The JSON texts that cost most to read, to judge or to refuse, by what they aim at. */
export const expensiveValues: Readonly<Record<string, string>> = {
  'a long text': filled('"', 'a', '"'),
  'a long text of spaces': filled('"a', ' ', 'a"'),
  'a long text of two bytes': filled('"', 'ä', '"'),
  'a long text of escapes': filled('"', '\\u0000', '"'),
  'a long host': filled('"https://', 'ä.', '"'),
  'a long host in punycode': filled('"https://', 'xn--4ca.', '"'),
  'a long path': filled('"https://a.example/', '%E2%82', '"'),
  'a host at the limit': `"https://${'ä.'.repeat(1000)}"`,
  'a long address': filled('"', 'a.', '@a.example"'),
  'a long instant': filled('"2040-01-01T00:00:00.', '0', 'Z"'),
  'a long number': filled('', '9', ''),
  'very many empty texts': filled('[""', ',""', ']'),
  'very many lists': filled('[[]', ',[]', ']'),
  'very many names': full('{', (index) => `"${index}":0`, '}', Number.POSITIVE_INFINITY),
  'many empty texts': full('[', () => '""', ']', MANY),
  'many different texts': full('[', (index) => `"${index}"`, ']', MANY),
  'many ids': full('[', uuid, ']', MANY),
  'a thousand long hosts': full(
    '[',
    (index) => `"https://${index}${'xn--4ca.'.repeat(120)}"`,
    ']',
    1000,
  ),
  'a thousand times the same uri': full(
    '[',
    () => `"https://a.example/${'x'.repeat(1000)}"`,
    ']',
    1000,
  ),
  'many names': full('{', (index) => `"n${index}":0`, '}', MANY / 2),
  'many long names': full('{', (index) => `"${index}${'n'.repeat(100)}":""`, '}', MANY / 2),
  'one name, very long': filled('{"', 'n', '":0}'),
  'many small numbers': full('[', () => '5e-324', ']', MANY),
  'many schemas': full('{"allOf":[', () => '{"not":{}}', ']}', MANY / 4),
  'nesting without end': filled('', '[', ''),
  'nesting at the limit': full('[', () => `${'['.repeat(50)}${']'.repeat(50)}`, ']', MANY / 51),
};
