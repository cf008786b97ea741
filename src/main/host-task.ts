import type { HostMessage, HostRequest } from '../shared/console/host.ts'
import type { HostProcess } from './host-process.ts'

/** Milliseconds: reading tens of gigabytes through takes long. */
const LONGEST = 60 * 60_000

/**
 * One piece of work on the data folder in a process of its own, which ends after it. Killing it is
 * safe at any time: the old or the new database is there, whole.
 */
export class HostTask<Type extends 'inspected' | 'restored'> {
  /** The answer, undefined where the process ended without one; after the process has ended. */
  readonly done: Promise<Extract<HostMessage, { type: Type }> | undefined>
  readonly #process: HostProcess

  constructor(process: HostProcess, request: HostRequest, wanted: Type) {
    this.#process = process
    const timer = setTimeout(() => process.kill(), LONGEST)
    let answer: Extract<HostMessage, { type: Type }> | undefined
    process.onMessage((message) => {
      if (isOf(message, wanted)) answer = message
    })
    this.done = new Promise((resolve) => {
      process.onExit(() => {
        clearTimeout(timer)
        resolve(answer)
      })
    })
    process.post(request)
  }

  kill(): void {
    this.#process.kill()
  }
}

function isOf<Type extends HostMessage['type']>(
  message: HostMessage,
  type: Type,
): message is Extract<HostMessage, { type: Type }> {
  return message.type === type
}
