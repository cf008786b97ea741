import { writeFileSync } from 'node:fs'
import { createServer as createListener } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { pino } from 'pino'
import { stopSignal } from '../../src/server/cli/signals.ts'
import { createServer } from '../../src/server/server.ts'
import { startFailure } from '../../src/server/server-process/start-failure.ts'
import { listenFailure } from '../../src/shared/listen-failure.ts'
import { startFailureSentence } from '../../src/shared/wording/start-failure.ts'
import { buildConsole, spawnConsole } from '../console.ts'
import type { StartPlan } from '../start-plan.ts'
import { text } from './strings.ts'

const HOST = '127.0.0.1'
/** Milliseconds between two health checks of the console's server. */
const LOOK = 200

/** The demo's server, with or without the console. */
export interface Surface {
  readonly address: string
  /** Resolves when the console has been closed. */
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

/** Opens the console if this computer can show it, otherwise only the server. */
export function openSurface(plan: StartPlan, options: SurfaceOptions): Promise<Surface> {
  return plan.kind === 'console' ? openConsole(plan.binary, options) : openServer(options)
}

async function openServer({ folder, port }: SurfaceOptions): Promise<Surface> {
  const config = {
    dataFolder: join(folder, 'data'),
    host: HOST,
    port,
    // All of the fleet asks from one address.
    limits: { device: 0 },
    keepCheckInDays: 0,
  }
  const running = await createServer(config, pino({ level: 'warn' }, pino.destination(2)))
    .start()
    .catch((error: unknown) => {
      throw new Error(startFailureSentence(startFailure(error, config)))
    })
  return { address: running.address, closed: new Promise(() => {}), stop: () => running.stop() }
}

async function openConsole(
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
  void stopSignal({ withParent: true }).then(() => controller.abort(new Error(text.stopped)))
  return controller.signal
}
