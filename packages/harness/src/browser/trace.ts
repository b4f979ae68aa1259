import type { Browser } from 'playwright-core';

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
  /** Of the main threads of pages, in milliseconds of CPU time. */
  readonly longestTask: number;
  /** The names of the threads. */
  readonly threads: readonly string[];
}

const OF_TASKS = ['toplevel', 'disabled-by-default-devtools.timeline'];
const OF_FRAMES = [...OF_TASKS, 'benchmark', 'cc', 'devtools.timeline'];

/** The last stage of a frame: it ends when the frame is on the screen. */
const PRESENTED = 'SubmitCompositorFrameToPresentationCompositorFrame';

/**
 * Begins a trace of a browser, which has one at a time.
 *
 * @param options.frames whether frames count too, of which there are many; otherwise the result has 0
 */
export async function startTrace(
  browser: Browser,
  { frames = false }: { readonly frames?: boolean } = {},
): Promise<{ end(): Promise<Traced> }> {
  await browser.startTracing(undefined, { categories: frames ? OF_FRAMES : OF_TASKS });
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
