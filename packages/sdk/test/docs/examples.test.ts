import { describe, expect, it } from 'vitest';
import { readExamples, withExamples } from './support/examples.ts';
import { expectGenerated } from './support/generated-file.ts';
import { parse, publicItems } from './support/public-api.ts';

const items = publicItems();
const examples = readExamples();

describe('the documentation', () => {
  it('covers the whole public surface', () => {
    expect(items.length).toBeGreaterThan(130);
    expect(items.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['Gatehouse.me', 'Integrations.list', 'ListPromise.toArray', 'Open']),
    );
  });

  it('has a compiled example of every public name, and of nothing else', () => {
    expect([...examples.keys()].sort()).toEqual(items.map(({ name }) => name).sort());
  });

  it.each([...new Set(items.map(({ file }) => file))])('of %s shows them', async (file) => {
    const own = items.filter((item) => item.file === file);
    await expectGenerated(file, withExamples(parse(file), own, examples));
  });
});
