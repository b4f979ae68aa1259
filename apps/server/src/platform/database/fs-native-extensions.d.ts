declare module 'fs-native-extensions' {
  /** Acquires an exclusive advisory lock on the open, writable file; false when another process has it. */
  export function tryLock(fd: number): boolean;
  export function unlock(fd: number): void;
}
