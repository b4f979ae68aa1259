import type { Page } from './console.ts';

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly ts: number;
  readonly pid: number;
  readonly tid: number;
  /** CPU time in microseconds: other programs of a busy machine do not count. */
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

export interface Traced {
  /** Frames that reached the screen. */
  readonly frames: number;
  /** What the busiest thread took for a frame, in milliseconds of CPU time: it limits the frames of a second. */
  readonly cpuOfFrame: number;
  /** Of the page's main thread, in milliseconds of CPU time. */
  readonly longestTask: number;
  /** The names of the threads. */
  readonly threads: readonly string[];
}

const CATEGORIES = [
  'benchmark',
  'cc',
  'toplevel',
  'devtools.timeline',
  'disabled-by-default-devtools.timeline',
];

/** The last stage of a frame: it ends when the frame is on the screen. */
const PRESENTED = 'SubmitCompositorFrameToPresentationCompositorFrame';

/** Begins a trace of Chromium for a page. */
export async function startTrace(page: Page): Promise<{ end(): Promise<Traced> }> {
  const browser = page.context().browser();
  if (browser === null) throw new Error('The page has no browser.');
  await browser.startTracing(page, { categories: CATEGORIES });
  return {
    async end() {
      const { traceEvents } = JSON.parse(String(await browser.stopTracing())) as {
        traceEvents: TraceEvent[];
      };
      return tracedIn(traceEvents);
    },
  };
}

/** What threads run: of the page and its compositor, and of those that paint. */
const TASKS = ['RunTask', 'TaskGraphRunner::RunTask'];

function tracedIn(events: readonly TraceEvent[]): Traced {
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`;
  const names = new Map(
    events
      .filter(({ name }) => name === 'thread_name')
      .map((event) => [threadOf(event), event.args?.name ?? '']),
  );
  const tasks = events.filter(({ name }) => TASKS.includes(name));
  const busy = new Map<string, number>();
  for (const task of tasks) {
    busy.set(threadOf(task), (busy.get(threadOf(task)) ?? 0) + (task.tdur ?? 0) / 1000);
  }
  // A frame of the page and of its compositor may be presented together.
  const presented = events.filter(({ name, ph }) => name === PRESENTED && ph === 'e');
  const frames = new Set(presented.map(({ ts }) => ts)).size;
  const main = tasks.filter((task) => names.get(threadOf(task)) === 'CrRendererMain');
  return {
    frames,
    cpuOfFrame: Math.max(...busy.values()) / frames,
    longestTask: Math.max(0, ...main.map(({ tdur = 0 }) => tdur / 1000)),
    threads: [...names.values()],
  };
}
