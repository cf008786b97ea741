import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Milliseconds that a notification can take. */
const PATIENCE = 10_000

/** What systemd sets for a service of `Type=notify`; see sd_notify(3) and sd_watchdog_enabled(3). */
type Variables = Readonly<Record<string, string | undefined>>

/**
 * systemd as the supervisor of this process. It is notified by its own command, `systemd-notify`: Node.js has no
 * datagram sockets of the file system. The unit needs `NotifyAccess=all`, because the command is another process.
 */
export class Systemd {
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
