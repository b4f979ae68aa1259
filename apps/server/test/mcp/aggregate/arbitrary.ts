import fc from 'fast-check';
import { exposedNameOf } from '../../../src/mcp/aggregate/exposed-name.ts';
import {
  type AttachmentNames,
  type NamingAttachment,
  namesOfAttachment,
} from '../../../src/mcp/aggregate/names-of-attachment.ts';

export const nameLength = fc.integer({ min: 32, max: 64 });

/** What integrations in these tests are named: close to each other, to prefixes and to shortened names. */
const part = fc.constantFrom(
  'a',
  'b',
  '_',
  '__',
  ' ',
  'é',
  '\u{1f600}',
  'git',
  'git-2',
  '_abcdefg7',
  '_projects',
  'x'.repeat(30),
);
const start = fc.constantFrom('', '', '', 'git__', 'git: ', 'a__', 'gatehouse__', 'gatehouse- ');
const plainName = fc.oneof(
  fc.tuple(start, fc.array(part, { maxLength: 4 })).map(([first, parts]) => first + parts.join('')),
  fc.string({ unit: 'grapheme', maxLength: 80 }),
);

export interface TestAttachment {
  readonly integrationId: string;
  readonly alias: string;
  readonly names: readonly string[];
}

const alias = fc.oneof(
  fc.constantFrom('', 'git'),
  fc.constantFrom('a', 'b', 'git', 'git-2', 'git--2', '-', 'x'.repeat(16)),
  fc.stringMatching(/^[a-z0-9-]{1,16}$/),
);

/**
 * Names, some of which another one is shortened to.
 *
 * @param length for which they are shortened
 */
function namesFor(integrationId: string, length: number): fc.Arbitrary<string[]> {
  return fc
    .tuple(fc.array(plainName, { maxLength: 6 }), fc.array(fc.nat(), { maxLength: 2 }))
    .map(([names, picks]) => {
      const shortened = picks.flatMap((pick) => {
        const name = names[pick % Math.max(1, names.length)];
        if (name === undefined) return [];
        return exposedNameOf({ integrationId, alias: '', name, nameLength: length });
      });
      return [...names, ...shortened];
    });
}

/** The attachments of an application, and the length of its names. */
export const application = fc
  .tuple(fc.uniqueArray(alias, { minLength: 1, maxLength: 5 }), nameLength)
  .chain(([aliases, length]) => {
    const attachments = aliases.map((each, index) => {
      const integrationId = `0198c0de-0000-7000-8000-00000000000${index}`;
      const names = namesFor(integrationId, length);
      return fc.record({
        integrationId: fc.constant(integrationId),
        alias: fc.constant(each),
        names,
      });
    });
    return fc.record({
      attachments: fc.tuple(...attachments),
      nameLength: fc.constant(length),
    });
  });

export interface TestApplication {
  readonly attachments: readonly TestAttachment[];
  readonly nameLength: number;
}

/** What the names of one of its attachments depend on. */
export function namingOf(
  { attachments, nameLength: length }: TestApplication,
  { integrationId, alias: own }: TestAttachment,
): NamingAttachment {
  const aliases = new Set(attachments.map((attachment) => attachment.alias));
  return { integrationId, alias: own, aliases, nameLength: length };
}

/** The names of each attachment. */
export function namesOf(
  tested: TestApplication,
): readonly { attachment: TestAttachment; names: AttachmentNames }[] {
  return tested.attachments.map((attachment) => ({
    attachment,
    names: namesOfAttachment(namingOf(tested, attachment), attachment.names),
  }));
}
