import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { RunningServer } from '../../../src/server/compose/running-server.ts'
import type { ServerConfigInput } from '../../../src/server/config.ts'
import { createServer } from '../../../src/server/server.ts'
import { FAST_PASSWORDS } from '../../support/builders/passwords.ts'
import { freePort } from '../../support/processes/ports.ts'
import { databaseOf } from '../../support/servers/engine.ts'
import { PERSON } from './browser.ts'

const pageFolder = resolve(import.meta.dirname, '../../../out/renderer')
const CALLER = { address: '127.0.0.1', userAgent: 'second server' }

/** A second real server on this computer, with one account. It can go and come back on its port. */
export interface SecondServer {
  readonly address: string
  /** What `serve` prints for a new browser. */
  readonly link: string
  readonly running: RunningServer
  start(tls?: ServerConfigInput['tls']): Promise<void>
  stop(): Promise<void>
  /** Stops it and removes its folder. */
  close(): Promise<void>
}

/** What a second server has beside its account. */
export interface SecondServerOptions {
  readonly tls?: ServerConfigInput['tls'] | undefined
  /** Whether it stores files, and what is not as by default then. */
  readonly hosting?: boolean | Partial<NonNullable<ServerConfigInput['hosting']>>
}

/** Starts one. */
export async function startSecondServer({
  tls,
  hosting = false,
}: SecondServerOptions = {}): Promise<SecondServer> {
  const dataFolder = mkdtempSync(join(tmpdir(), 'tidegate-second-'))
  const port = await freePort()
  let running: RunningServer | undefined
  const second: SecondServer = {
    address: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    get link() {
      return `${second.address}/console/#/code/${second.running.consoleCode}`
    },
    get running() {
      if (running === undefined) throw new Error('The second server is stopped')
      return running
    },
    async start(files = tls) {
      const config = {
        dataFolder,
        database: await databaseOf(dataFolder),
        port,
        limits: { device: 0 },
        console: { pageFolder },
        ...(files === undefined ? {} : { tls: files }),
        ...(hosting === false
          ? {}
          : {
              hosting: {
                ...{ folder: join(dataFolder, 'artifacts'), publicUrl: second.address },
                ...(hosting === true ? {} : hosting),
              },
            }),
      }
      running = await createServer(config, undefined, FAST_PASSWORDS).start()
    },
    async stop() {
      await running?.stop()
      running = undefined
    },
    async close() {
      await second.stop()
      rmSync(dataFolder, { recursive: true, force: true })
    },
  }
  await second.start()
  const { people } = second.running
  const { token } = await people.createSetupLink()
  await people.acceptLink(token, PERSON, CALLER)
  return second
}
