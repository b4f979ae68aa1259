import { describe, expect, it } from 'vitest';
import { fieldHtml } from '../../../src/http/pages/fields.ts';
import { html } from '../../../src/http/pages/html.ts';
import { safeReturnTo } from '../../../src/http/pages/return-to.ts';

describe('html', () => {
  it('escapes what is put into it, in text and in attributes', () => {
    const evil = `<b>&"'`;
    expect(String(html`<p title="${evil}">${evil}</p>`)).toBe(
      '<p title="&lt;b&gt;&amp;&quot;&#39;">&lt;b&gt;&amp;&quot;&#39;</p>',
    );
  });

  it('keeps parts that are HTML already, and joins lists', () => {
    const items = ['<a>', 'b'].map((item) => html`<li>${item}</li>`);
    expect(String(html`<ul>${items}</ul>`)).toBe('<ul><li>&lt;a&gt;</li><li>b</li></ul>');
  });

  it('leaves out what is not there', () => {
    expect(String(html`a${undefined}${null}${false}${''}b${0}`)).toBe('ab0');
  });

  it('isolates names from right to left in text, and leaves attributes and the title alone', () => {
    const name = 'Agent \u05d0\u05d1 <\u05d2>';
    const isolated = 'Agent <bdi>\u05d0\u05d1 &lt;\u05d2</bdi>&gt;';
    const plain = isolated.replaceAll(/<\/?bdi>/g, '');
    expect(String(html`<p lang="en" title="${name}">${name}</p>${[name]}`)).toBe(
      `<p lang="en" title="${plain}">${isolated}</p>${isolated}`,
    );
    expect(String(html`<a href="${'/a'}?b=${name}&c=${name}">${name}</a>`)).toBe(
      `<a href="/a?b=${plain}&c=${plain}">${isolated}</a>`,
    );
    expect(String(html` value="${name}"`)).toBe(` value="${plain}"`);
    expect(String(html`<title>${name} – Gatehouse</title>`)).toContain(`<title>${plain} `);
  });

  it('isolates each name of a list, and what follows a control of direction', () => {
    expect(String(html`Uses: ${'\u05d0, b, \u0627 1 \u0628'}`)).toBe(
      'Uses: <bdi>\u05d0</bdi>, b, <bdi>\u0627 1 \u0628</bdi>',
    );
    expect(String(html`${'knaB \u202ekcatta'}!`)).toBe('knaB <bdi>\u202ekcatta</bdi>!');
    expect(String(html`${'Ünï “quoted” – 漢字 😀'}`)).toBe('Ünï “quoted” – 漢字 😀');
  });

  it('is not fooled by an object that looks like its own', () => {
    const forged = { toString: () => '<script>' } as unknown as string;
    expect(() => html`${[forged]}`).toThrow(TypeError);
  });
});

it('a field escapes its value, and names its hint and error', () => {
  const field = { name: 'a', label: 'A', type: 'text', autocomplete: 'off' } as const;
  const text = String(fieldHtml({ ...field, value: '"><script>', hint: 'H', error: 'E' }));
  expect(text).toContain('value="&quot;&gt;&lt;script&gt;"');
  expect(text).toContain('aria-describedby="a-hint a-error" aria-invalid="true"');
});

describe('safeReturnTo', () => {
  it.each(['/account', '/oauth/authorize?a=b&c=%2F%2Fd', '/connect?integration=1#x', '/'])(
    'lets %s through',
    (path) => expect(safeReturnTo(path)).toBe(path),
  );

  it.each([
    ...['//evil', 'https://evil', '/\\evil', '\\\\evil', '/a\\b', '/\t/evil', '/\n/evil', '', 'a'],
    ...['javascript:1', '/a b', '/ä', '/.//evil', '/a/..//evil', ' /a', `/${'a'.repeat(9_000)}`],
    ...[undefined, null, 1, ['/a'], { a: 1 }],
  ])('refuses %j', (value) => expect(safeReturnTo(value)).toBe('/console'));
});
