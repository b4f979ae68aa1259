import { isBrowserMissing } from '@gatehouse/harness';
import { describe, expect, it } from 'vitest';
import { type Page, useConsole } from './support/console.ts';
import { VIEWS } from './support/views.ts';

/** A request that is not answered yet. */
interface Held {
  readonly name: string;
  answer(): void;
}

/** How often each claim stands in a view. */
type Claims = ReadonlyMap<string, number>;

const ORDERS: Readonly<Record<string, (held: Held[]) => Held | undefined>> = {
  'the first request first': (held) => held.shift(),
  'the last request first': (held) => held.pop(),
};

/** The views with numbers that rest on several requests. */
const COUNTING = [
  '/console/integrations',
  '/console/integrations/{Linear}?tab=connections',
  '/console',
  '/console/applications',
];

describe.skipIf(isBrowserMissing())('no view takes back a number or a “nothing”', () => {
  const console = useConsole();

  it.each(VIEWS.filter(({ path, isFirst }) => COUNTING.includes(path) && !isFirst))(
    '$path, whichever answer comes last',
    async ({ path, sign }) => {
      const page = await console.open('about:blank');
      await page.addInitScript(countOpen);
      const address = await console.addressOf(path);
      for (const [order, next] of Object.entries(ORDERS)) {
        await page.goto('about:blank');
        expect(await takenBack(page, address, sign, next), order).toEqual([]);
      }
    },
  );

  /** The claims that stand while answers are awaited, one of which comes after the other, and not in the end. */
  async function takenBack(
    page: Page,
    address: string,
    sign: string,
    next: (held: Held[]) => Held | undefined,
  ) {
    const held: Held[] = [];
    console.state.fault = (request) => hold(request, held);
    await page.goto(address);
    const seen: (readonly [awaited: string[], claims: Claims])[] = [];
    await idle(page, held);
    while (held.length > 0) {
      seen.push([held.map(({ name }) => name), await claimsOf(page)]);
      next(held)?.answer();
      await idle(page, held);
    }
    console.state.fault = undefined;
    for (const { answer } of held) answer();
    await page.getByText(sign).first().waitFor();
    const last = await claimsOf(page);
    return seen.flatMap(([awaited, claims]) =>
      [...claims]
        .filter(([claim, count]) => count > (last.get(claim) ?? 0))
        .map(([claim]) => ({ claim, awaited })),
    );
  }
});

async function hold({ method, url }: Request, held: Held[]): Promise<undefined> {
  const { pathname } = new URL(url);
  if (pathname.endsWith('/me')) return;
  await new Promise<void>((resolve) => {
    held.push({ name: `${method} ${pathname}`, answer: resolve });
  });
}

/** Waits until the page awaits nothing but what is held, twice in a row: what came is drawn then, and asks for no more. */
async function idle(page: Page, held: readonly Held[]): Promise<void> {
  const isIdle = async () => (await page.evaluate(drawn)) === held.length;
  await expect.poll(async () => (await isIdle()) && (await isIdle())).toBe(true);
}

/** In the page: counts the requests that are open. */
function countOpen(): void {
  // A page of an earlier test counts them already.
  if ('openRequests' in window) return;
  const { fetch } = window;
  const counter = Object.assign(window, { openRequests: 0 });
  window.fetch = (...request) => {
    counter.openRequests += 1;
    return fetch(...request).finally(() => {
      counter.openRequests -= 1;
    });
  };
}

/** In the page: how many requests are open once what came is drawn. */
async function drawn(): Promise<unknown> {
  for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
  return document.querySelector('main') !== null && Reflect.get(window, 'openRequests');
}

async function claimsOf(page: Page): Promise<Claims> {
  const counts = new Map<string, number>();
  for (const claim of await page.evaluate(claimTexts))
    counts.set(claim, (counts.get(claim) ?? 0) + 1);
  return counts;
}

/** In the page: the texts with a number, or a word for zero. Times go on by themselves. */
function claimTexts(): string[] {
  const elements = [...document.body.querySelectorAll(':not(script, style, time, :has(time))')];
  return elements
    .filter(({ childNodes }) => [...childNodes].some(({ nodeType }) => nodeType === Node.TEXT_NODE))
    .map(({ textContent }) => textContent ?? '')
    .filter((text) => /\d|–|\b(no|none|nobody|nothing|never)\b/i.test(text));
}
