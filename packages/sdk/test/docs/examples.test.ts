import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { readExamples, withExamples } from './support/examples.ts';
import { expectGenerated } from './support/generated-file.ts';
import { hasExample, parse, publicItems } from './support/public-api.ts';

const items = publicItems();
const withExample = items.filter(hasExample);
const examples = readExamples();

describe('the documentation', () => {
  it('covers the whole public surface', () => {
    expect(items.length).toBeGreaterThan(130);
    expect(items.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['Gatehouse.me', 'Integrations.list', 'ListPromise.toArray', 'Open']),
    );
  });

  it('has a compiled example of every class, method and function, and of nothing else', () => {
    expect([...examples.keys()].sort()).toEqual(withExample.map(({ name }) => name).sort());
  });

  it('has no example of a plain type', () => {
    const types = items.filter((item) => !hasExample(item));
    const tags = types.flatMap(({ node }) => ts.getJSDocTags(node));
    expect(tags.filter(({ tagName }) => tagName.text === 'example')).toEqual([]);
  });

  it.each([...new Set(withExample.map(({ file }) => file))])('of %s shows them', async (file) => {
    const own = withExample.filter((item) => item.file === file);
    await expectGenerated(file, withExamples(parse(file), own, examples));
  });
});
