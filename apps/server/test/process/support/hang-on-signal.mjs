// Loaded with --import into a server, to make it hang. It blocks; one that spins is ended as well, in watch.slow.test.ts
// of the watch, and would take a processor from the other tests.
process.on('SIGUSR2', () => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
});
