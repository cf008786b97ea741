import type { DataPlace } from '../support/servers/rows.ts'
import { type FuzzFailure, FuzzRun, type SendOptions } from './fuzz-run.ts'
import { issuesOfData, issuesWhileRunning } from './judge/afterwards.ts'
import { FuzzedServer } from './server/fuzzed-server.ts'

/** The data folder must be empty, and so must the database. */
export type FuzzOptions = SendOptions & DataPlace

export interface FuzzReport {
  readonly requests: number
  readonly failures: readonly FuzzFailure[]
  /** What is wrong with the server and its data afterwards. */
  readonly aftermath: readonly string[]
  readonly statuses: ReadonlyMap<number, number>
  /** How often a body that matches its schema was rejected, by message. */
  readonly refused: ReadonlyMap<string, number>
  readonly slowest: { readonly ms: number; readonly sent: string }
  /** The last errors that the server logged. */
  readonly errors: readonly string[]
}

/** Starts a server on an empty data folder, fuzzes it, stops it and examines its data. */
export async function fuzz(options: FuzzOptions): Promise<FuzzReport> {
  const server = await FuzzedServer.start(options)
  try {
    const run = await FuzzRun.on(server)
    await run.send(options)
    const aftermath: string[] = []
    if (server.isAlive) {
      aftermath.push(...(await issuesWhileRunning(server, run.observed)))
      await server.stop()
    }
    aftermath.push(...(await issuesOfData(options)))
    const { requests, failures, statuses, refused, slowest } = run
    const { errors } = server
    return { requests, failures, aftermath, statuses, refused, slowest, errors }
  } finally {
    server.kill()
  }
}
