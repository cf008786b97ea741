import type { ChildProcess } from 'node:child_process'
import { subscribe } from 'node:diagnostics_channel'
import type { ClientRequest } from 'node:http'
import { relative } from 'node:path'

// Knows what the tests of this process wait for, so that a test which times out can say it.

/** Something that has begun and not ended. */
interface Wait {
  readonly since: number
  readonly text: () => string
}

const waits = new Map<object, Wait>()

/** The longest command that is shown. */
const MAX_COMMAND = 160

/** Notes a wait until `endWait` is called with the same key. `text` is called when a test times out. */
export function beginWait(key: object, text: () => string): void {
  waits.set(key, { since: performance.now(), text })
}

export function endWait(key: object): void {
  waits.delete(key)
}

/** Returns a line for everything that has begun since then and not ended. `since`: as `performance.now()` has it. */
export function describeWaits(since: number): string[] {
  const now = performance.now()
  return [...waits.values()]
    .filter((wait) => wait.since >= since)
    .map((wait) => `${wait.text()} (${((now - wait.since) / 1_000).toFixed(1)} s)`)
}

/** Returns where the function that calls `callee` does so, as `test/a.test.ts:12`. */
export function callSite(callee: (...args: never[]) => unknown): () => string {
  const trace: { stack?: string } = {}
  // The stack is only put into words when it is read.
  Error.captureStackTrace(trace, callee)
  return () => {
    const [, file = '', line = ''] =
      /\(?(?:file:\/\/)?(\/[^\n]*?):(\d+):\d+\)?\n?/.exec(trace.stack ?? '') ?? []
    return `${relative(process.cwd(), decodeURI(file))}:${line}`
  }
}

interface FetchRequest {
  readonly method: string
  readonly origin: string | URL
  readonly path: string
}

subscribe('http.client.request.start', (message) => {
  const { request } = message as { request: ClientRequest }
  const { method, protocol, host, path } = request
  const port = String(request.getHeader('host') ?? host)
  beginWait(request, () => `${method} ${protocol}//${port}${path}`)
  request.once('close', () => endWait(request))
})
subscribe('undici:request:create', (message) => {
  const { request } = message as { request: FetchRequest }
  beginWait(request, () => `${request.method} ${request.origin}${request.path}`)
})
for (const end of ['undici:request:trailers', 'undici:request:error']) {
  subscribe(end, (message) => endWait((message as { request: FetchRequest }).request))
}
subscribe('child_process', (message) => {
  const { process: child } = message as { process: ChildProcess }
  beginWait(child, () => `process ${child.pid}: ${commandOf(child)}`)
  for (const end of ['exit', 'error']) child.once(end, () => endWait(child))
})

function commandOf({ spawnargs = [] }: ChildProcess): string {
  const command = spawnargs.join(' ').replaceAll(`${process.cwd()}/`, '').replaceAll('\n', ' ')
  return command.length > MAX_COMMAND ? `${command.slice(0, MAX_COMMAND)}…` : command
}
