/** The result, or undefined if the signal is aborted first. The work itself continues. */
export async function inTime<T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  let stop = (): void => undefined;
  const stopped = new Promise<undefined>((resolve) => {
    stop = () => resolve(undefined);
  });
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([work, stopped]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
