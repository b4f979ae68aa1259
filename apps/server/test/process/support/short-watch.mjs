// Loaded with --import into a server, to have its watch end it after 3 seconds instead of 30.
import { syncBuiltinESMExports } from 'node:module';
import threads from 'node:worker_threads';

const limits = { interval: 1_000, looks: 3 };

threads.Worker = class extends threads.Worker {
  constructor(file, options) {
    super(file, { ...options, workerData: { ...options.workerData, limits } });
  }
};
syncBuiltinESMExports();
