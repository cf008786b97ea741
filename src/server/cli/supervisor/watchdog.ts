import type { RunningServer } from '../../compose/running-server.ts'

/** The part of a server that shows whether it works. */
export type WatchedServer = Pick<RunningServer, 'storageAnswers' | 'databaseTrouble'>

/** Signs of life that are due in the time of a watchdog: one or two may be late. */
const SIGNS = 3

/**
 * Calls `onAlive` three times in every `time` milliseconds, as long as the event loop runs and the storage answers.
 * There is no server while a backup is restored, which counts as alive. So do database files that are gone: the server
 * answers from memory until they are back, and a new process would lose what waits to be written. Returns a function
 * that stops it.
 */
export function watchServer(
  running: () => WatchedServer | undefined,
  time: number,
  onAlive: () => Promise<void>,
): () => void {
  const interval = time / SIGNS
  let timer: NodeJS.Timeout
  let isStopped = false
  const look = async () => {
    const startedAt = performance.now()
    if (await isAlive(running(), interval)) await onAlive()
    if (isStopped) return
    const passed = performance.now() - startedAt
    timer = setTimeout(look, Math.max(0, interval - passed)).unref()
  }
  timer = setTimeout(look).unref()
  return () => {
    isStopped = true
    clearTimeout(timer)
  }
}

async function isAlive(server: WatchedServer | undefined, within: number): Promise<boolean> {
  if (server === undefined || server.databaseTrouble() !== null) return true
  return await server.storageAnswers(within)
}
