/**
 * Serves the console to browsers from a process of its own, and prints its address and the link of the first account as
 * one line of JSON: `node serve-console.ts FOLDER PORT`, with variables as in `start-server.ts`. Stops when its input ends.
 */
import { once } from 'node:events'
import { startServer } from './start-server.ts'

const [folder = '', port = '0'] = process.argv.slice(2)
const { stop, ...started } = await startServer(folder, Number(port), process.env)
process.stdout.write(`${JSON.stringify(started)}\n`)
process.stdin.resume()
await once(process.stdin, 'end')
await stop()
