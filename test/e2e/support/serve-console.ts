/**
 * Serves the console to browsers, as `serve` does, and prints its address and the link of the first account as one line
 * of JSON: `node serve-console.ts FOLDER PORT`. Passwords are hashed fast. Stops when its input ends. Also answers under
 * the name in CONSOLE_NAME, behind a proxy on this computer if TRUST_PROXY is `loopback`; PROVIDER is an identity
 * provider and MAIL a mail server, as JSON. Files are stored if STORES_FILES is set. DATABASE is the address of a
 * PostgreSQL database for the data.
 */
import { once } from 'node:events'
import { join, resolve } from 'node:path'
import { pino } from 'pino'
import { RestorableServer } from '../../../src/server/restorable-server.ts'

const [folder = '', port = '0'] = process.argv.slice(2)
const { CONSOLE_NAME = '', TRUST_PROXY, PROVIDER, MAIL, STORES_FILES, DATABASE } = process.env
const pageFolder = resolve(import.meta.dirname, '../../../out/renderer')
const server = new RestorableServer(
  {
    dataFolder: folder,
    database: DATABASE,
    port: Number(port),
    trustProxy: TRUST_PROXY === undefined ? [] : [TRUST_PROXY],
    // One person clicks faster here than a limit for strangers allows.
    limits: { device: 0 },
    provider: PROVIDER === undefined ? undefined : JSON.parse(PROVIDER),
    mail: MAIL === undefined ? undefined : JSON.parse(MAIL),
    hosting:
      STORES_FILES === undefined
        ? undefined
        : { folder: join(folder, 'artifacts'), publicUrl: `http://127.0.0.1:${port}` },
    console: { pageFolder, names: CONSOLE_NAME === '' ? [] : [CONSOLE_NAME] },
  },
  { log: pino({ level: 'silent' }), passwordCost: 10 },
  { onRestoring() {}, onRestored() {} },
)
const { people, consoleAddress } = await server.start()
const link = people.hasAccounts() ? null : (await people.createSetupLink()).token
process.stdout.write(`${JSON.stringify({ console: consoleAddress, link })}\n`)
process.stdin.resume()
await once(process.stdin, 'end')
await server.stop()
