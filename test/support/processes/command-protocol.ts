import { join } from 'node:path'

export const ROOT = join(import.meta.dirname, '../../..')

/** What `command-host.ts` is asked to run. */
export interface CommandRequest {
  readonly args: readonly string[]
  /** All variables. */
  readonly env: Readonly<Record<string, string>>
}

/** Follows the output of a command on both streams. A command writes no control characters but line breaks. */
export function endMark(exitCode: number): string {
  return `\0ended with ${exitCode}\0`
}

export const END_MARK = /\0ended with (\d+)\0$/
