// Loaded with --import into a server, to make every write below the embedded database fail.
import fs from 'node:fs';

const LAST_STANDARD_STREAM = 2;

process.on('SIGUSR2', () => {
  const { writeSync } = fs;
  fs.writeSync = (descriptor, ...rest) => {
    if (descriptor <= LAST_STANDARD_STREAM) return writeSync(descriptor, ...rest);
    throw Object.assign(new Error('EIO: injected'), { code: 'EIO', syscall: 'write' });
  };
});
