import { existsSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

/** Returns a file system in memory with room for what the tests write at a time, if there is one. */
export function memoryFolder(): string {
  const folder = '/dev/shm'
  if (!existsSync(folder)) return tmpdir()
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize > 2 * 1_024 ** 3 ? folder : tmpdir()
}
