import { execFile } from 'node:child_process'
import { request as secureRequest } from 'node:https'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Logger } from 'pino'
import { request } from '../../../shared/basics/node-http.ts'
import type { RestorableServer } from '../../compose/restorable-server.ts'
import type { RunningServer } from '../../compose/running-server.ts'
import { reachableHere } from '../server/own-server.ts'
import { text } from '../strings/service.ts'

const run = promisify(execFile)

/** Milliseconds that a notification can take. */
const PATIENCE = 10_000

/** What systemd sets for a service of `Type=notify`; see sd_notify(3) and sd_watchdog_enabled(3). */
type Variables = Readonly<Record<string, string | undefined>>

/**
 * systemd as the supervisor of this process. It is notified by its own command, `systemd-notify`: Node.js has no
 * datagram sockets of the file system. The unit needs `NotifyAccess=all`, because the command is another process.
 */
class Systemd {
  /** Milliseconds without a sign of life after which systemd ends the process; undefined without a watchdog. */
  readonly watchdogTime: number | undefined
  readonly #onFailure: (error: unknown) => void

  private constructor(watchdogTime: number | undefined, onFailure: (error: unknown) => void) {
    this.watchdogTime = watchdogTime
    this.#onFailure = onFailure
  }

  /** Returns the systemd that waits for notifications of this process; undefined if none does. */
  static of(
    { NOTIFY_SOCKET, WATCHDOG_USEC, WATCHDOG_PID }: Variables,
    onFailure: (error: unknown) => void,
  ): Systemd | undefined {
    if (!NOTIFY_SOCKET) return undefined
    const time = Number(WATCHDOG_USEC) / 1_000
    const isOurs = WATCHDOG_PID === undefined || Number(WATCHDOG_PID) === process.pid
    return new Systemd(isOurs && time > 0 ? time : undefined, onFailure)
  }

  /** Sends assignments such as `READY=1`. Never rejects: a failure is reported to the listener. */
  async notify(...assignments: string[]): Promise<void> {
    try {
      await run('systemd-notify', assignments, { timeout: PATIENCE })
    } catch (error) {
      this.#onFailure(error)
    }
  }
}

/** Milliseconds between two questions to a server that does not answer yet, and for one answer. */
const AGAIN = 500
const ANSWER_TIME = 5_000

/** A process that keeps its supervisor informed. */
export interface Supervised {
  /** Tells that the server stops. Resolves when that is known. */
  stopping(): Promise<void>
}

const NOBODY: Supervised = { stopping: async () => {} }

/** Tells systemd, if it waits for that, that the server is ready once it has answered a request, and then that it is alive. */
export function keepInformed(
  server: Pick<RestorableServer, 'running'>,
  address: string,
  log: Logger,
): Supervised {
  let hasFailed = false
  const systemd = Systemd.of(process.env, (err) => {
    if (!hasFailed) log.error({ err }, 'could not notify systemd')
    hasFailed = true
  })
  if (systemd === undefined) return NOBODY
  const stopped = new AbortController()
  const started = begin(systemd, server, address, stopped.signal)
  return {
    async stopping() {
      stopped.abort()
      await started
      await systemd.notify('STOPPING=1')
    },
  }
}

/** Never rejects. */
async function begin(
  systemd: Systemd,
  server: Pick<RestorableServer, 'running'>,
  address: string,
  stopped: AbortSignal,
): Promise<void> {
  while (!(await answers(address))) {
    if (stopped.aborted) return
    await delay(AGAIN)
  }
  if (stopped.aborted) return
  await systemd.notify('READY=1', `STATUS=${text.listening(address)}`)
  const { watchdogTime } = systemd
  if (watchdogTime === undefined || stopped.aborted) return
  const end = watchServer(
    () => server.running,
    watchdogTime,
    () => systemd.notify('WATCHDOG=1'),
  )
  stopped.addEventListener('abort', end)
}

/** Returns whether the server at an address answers an HTTP request, whatever the answer. */
export function answers(address: string): Promise<boolean> {
  const url = new URL('/healthz', reachableHere(address))
  // Whether others trust the certificate is not the question.
  const options = { agent: false, rejectUnauthorized: false, timeout: ANSWER_TIME }
  const ask = url.protocol === 'https:' ? secureRequest : request
  return new Promise((resolve) => {
    const asked = ask(url, options, (answer) => {
      answer.resume()
      resolve(true)
    })
    asked.on('timeout', () => asked.destroy())
    asked.on('error', () => resolve(false))
    asked.end()
  })
}

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
