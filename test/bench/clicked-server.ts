import { createServer } from '../../src/server/server.ts'
import { askerOf } from './console-asker.ts'
import { clicks } from './console-clicks.ts'

// A server with simulated use of its console, in the same process as in the desktop app.
// Usage: clicked-server.ts FOLDER. SIGUSR2 starts the clicks, and the next one stops them.

/** Milliseconds between an answer and the next click: faster than anybody reads. */
const PAUSE = 100

const limits = { device: 0, key: 0, rejectedKey: 0 }
const server = await createServer({ dataFolder: process.argv[2] ?? '', port: 0, limits }).start()
const ask = askerOf(server)
const queries = clicks()
let next = 0
let timer: NodeJS.Timeout | undefined

process.on('SIGUSR2', () => {
  clearTimeout(timer)
  timer = timer === undefined ? setTimeout(click, 0) : undefined
})
process.once('SIGTERM', () => {
  clearTimeout(timer)
  timer = undefined
  void server.stop().then(() => process.exit())
})
process.stdout.write(`listening on ${server.address}\n`)

async function click(): Promise<void> {
  const of = timer
  const query = queries[next++ % queries.length]
  if (query !== undefined) await ask(query.path, query.input())
  if (timer === of) timer = setTimeout(click, PAUSE)
}
