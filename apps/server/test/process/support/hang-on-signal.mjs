// Loaded with --import into a server, to make it hang.
process.on('SIGUSR2', () => {
  for (;;);
});
