/**
 * Serves the console to browsers, as `serve` does, and prints its address and the link of the first account as one line
 * of JSON: `node serve-console.ts FOLDER PORT`. Stops when its input ends. Also answers under the name in CONSOLE_NAME;
 * PROVIDER is an identity provider as JSON.
 */
import { once } from 'node:events'
import { resolve } from 'node:path'
import { pino } from 'pino'
import { RestorableServer } from '../../../src/server/restorable-server.ts'

const [folder = '', port = '0'] = process.argv.slice(2)
const { CONSOLE_NAME = '', PROVIDER } = process.env
const pageFolder = resolve(import.meta.dirname, '../../../out/renderer')
const server = new RestorableServer(
  {
    dataFolder: folder,
    port: Number(port),
    // One person clicks faster here than a limit for strangers allows.
    limits: { device: 0 },
    provider: PROVIDER === undefined ? undefined : JSON.parse(PROVIDER),
    console: { pageFolder, names: CONSOLE_NAME === '' ? [] : [CONSOLE_NAME] },
  },
  { log: pino({ level: 'silent' }) },
  { onRestoring() {}, onRestored() {} },
)
const { people, consoleAddress } = await server.start()
const link = people.hasAccounts() ? null : (await people.createSetupLink()).token
process.stdout.write(`${JSON.stringify({ console: consoleAddress, link })}\n`)
process.stdin.resume()
await once(process.stdin, 'end')
await server.stop()
