// Loaded with --import into a server, to make it hang. It blocks, because a loop would take a core from other tests;
// `platform/watch/watch.slow.test.ts` tries both.
process.on('SIGUSR2', () => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
});
