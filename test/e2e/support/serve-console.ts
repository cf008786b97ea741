/**
 * Serves the console to browsers, as `serve` does, and prints its address and the link of the first account as one line
 * of JSON: `node serve-console.ts FOLDER PORT`. Stops when its input ends.
 */
import { once } from 'node:events'
import { resolve } from 'node:path'
import { createServer } from '../../../src/server/server.ts'

const [folder = '', port = '0'] = process.argv.slice(2)
const pageFolder = resolve(import.meta.dirname, '../../../out/renderer')
const server = await createServer({
  dataFolder: folder,
  port: Number(port),
  // One person clicks faster here than a limit for strangers allows.
  limits: { device: 0 },
  console: { pageFolder },
}).start()
const link = server.people.hasAccounts() ? null : (await server.people.createSetupLink()).token
process.stdout.write(`${JSON.stringify({ console: server.consoleAddress, link })}\n`)
process.stdin.resume()
await once(process.stdin, 'end')
await server.stop()
