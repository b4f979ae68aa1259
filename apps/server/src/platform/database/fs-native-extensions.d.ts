declare module 'fs-native-extensions' {
  /** Takes an exclusive advisory lock on the open, writable file; false when another holds it. */
  export function tryLock(fd: number): boolean;
  export function unlock(fd: number): void;
}
