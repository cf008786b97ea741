import { writeFileSync } from 'node:fs'
import { createServer as createListener } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { pino } from 'pino'
import type { DemoClock } from '../../src/demo/clock.ts'
import { startDemoServer } from '../../src/demo/folder.ts'
import { stopSignal } from '../../src/server/cli/command/signals.ts'
import { buildPage, PAGE_FOLDER } from '../../src/server/cli/serve/console-page.ts'
import type { RunningServer } from '../../src/server/compose/running-server.ts'
import { startFailure } from '../../src/server/compose/server-process/supervised-server.ts'
import { listenFailure } from '../../src/shared/operation/start-failure.ts'
import { startFailureSentence } from '../../src/shared/wording/operation/start-failure.ts'
import { buildConsole, spawnConsole } from '../console.ts'
import { text } from './strings.ts'

const HOST = '127.0.0.1'
/** Milliseconds between two health checks of the desktop app's server. */
const LOOK = 200

/** The demo's server, with the console for browsers or the desktop app. */
export interface Surface {
  readonly address: string
  /** Resolves when the desktop app has been closed. */
  readonly closed: Promise<void>
  stop(): Promise<void>
}

export interface SurfaceOptions {
  /** The data folder is `data` in it, as the desktop app has it. */
  readonly folder: string
  readonly port: number
  readonly signal: AbortSignal
}

/** Returns a free port: the given one, or any for 0. Throws when the port is in use. */
export async function claimPort(port: number): Promise<number> {
  const probe = createListener()
  try {
    await new Promise<void>((resolve, reject) => {
      probe.once('error', reject)
      probe.listen(port, HOST, resolve)
    })
  } catch (error) {
    const failure = listenFailure(error, { host: HOST, port })
    if (failure?.code !== 'port_in_use') throw error
    throw new Error(text.portInUse(port))
  }
  const address = probe.address()
  await new Promise((resolve) => probe.close(resolve))
  return typeof address === 'object' && address !== null ? address.port : port
}

/** Starts the server in this process, with the console for browsers. */
export async function openServer(
  { folder, port }: SurfaceOptions,
  clock: DemoClock,
): Promise<Surface & { readonly server: RunningServer }> {
  const config = {
    dataFolder: join(folder, 'data'),
    host: HOST,
    port,
    console: { pageFolder: PAGE_FOLDER },
  }
  const log = pino({ level: 'warn' }, pino.destination(2))
  const server = await startDemoServer(config, clock, log).catch((error: unknown) => {
    throw new Error(startFailureSentence(startFailure(error, config)))
  })
  const stopBuilding = buildPage()
  return {
    server,
    address: server.address,
    closed: new Promise(() => {}),
    async stop() {
      stopBuilding()
      await server.stop()
    },
  }
}

/** Opens the desktop app, which runs the server. */
export async function openConsole(
  binary: string,
  { folder, port, signal }: SurfaceOptions,
): Promise<Surface> {
  buildConsole()
  const settings = { address: { host: HOST, port }, preferences: { closeToTray: false } }
  writeFileSync(join(folder, 'settings.json'), JSON.stringify(settings))
  const child = spawnConsole(binary, [], { TIDEGATE_USER_DATA: folder })
  const failed = new Promise<never>((_, reject) => child.once('error', reject))
  const closed = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const address = `http://${HOST}:${port}`
  await Promise.race([failed, closed, untilItAnswers(address, signal)])
  return {
    address,
    closed,
    async stop() {
      child.kill('SIGTERM')
      await closed
    },
  }
}

async function untilItAnswers(address: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const reply = await fetch(`${address}/healthz`, { signal }).catch(() => undefined)
    if (reply?.ok) return
    await wait(LOOK)
  }
}

/** Returns a signal that is aborted when the demo should stop. */
export function endOfDemo(): AbortSignal {
  const controller = new AbortController()
  void stopSignal({ withParent: true }).then(() => controller.abort(new Error(text.interrupted)))
  return controller.signal
}
