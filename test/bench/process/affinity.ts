import { spawnSync } from 'node:child_process'
import { allowedCpus } from './procfs.ts'

/** Which processors the measured server and the load client use, as `taskset` lists. */
export interface Pinning {
  readonly server: string
  readonly client: string
}

const allowed = allowedCpus()

/**
 * One core for the server and another for the client, or undefined if `taskset` or a second
 * core is missing.
 */
export function pinning(): Pinning | undefined {
  const [first] = allowed
  const last = allowed.at(-1)
  if (first === undefined || last === undefined || first === last) return undefined
  if (spawnSync('taskset', ['--version']).status !== 0) return undefined
  return { server: String(first), client: String(last) }
}

/** Runs `work` with every thread of this process pinned to `cores`, then removes the restriction. */
export async function pinned<T>(pins: Pinning | undefined, work: () => Promise<T>): Promise<T> {
  if (pins === undefined) return work()
  pinSelf(pins.client)
  try {
    return await work()
  } finally {
    pinSelf(allowed.join(','))
  }
}

function pinSelf(cpus: string): void {
  spawnSync('taskset', ['-a', '-c', '-p', cpus, String(process.pid)])
}
