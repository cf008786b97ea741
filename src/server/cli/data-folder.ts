import { resolve } from 'node:path'
import envPaths from 'env-paths'
import type { DataOptions } from './options.ts'

/** The data folder that a command works on, as an absolute path: `--data`, or that of the account. */
export function dataFolderOf({ data }: DataOptions): string {
  return data === undefined ? envPaths('tidegate', { suffix: '' }).data : resolve(data)
}
