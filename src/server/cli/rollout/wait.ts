import { setTimeout as delay } from 'node:timers/promises'
import type { Command } from 'commander'
import { z } from 'zod'
import type { ReleasePlace } from '../../../shared/console/releases/releases.ts'
import { type Adoption, AdoptionAnswer } from '../../../shared/releases/adoption.ts'
import { endingOf } from '../command/ending.ts'
import { EXIT, Failure, StateConflict } from '../command/errors.ts'
import { atVersion, type CommandOptions, onServer } from '../command/options.ts'
import { printAnswer, report } from '../command/output.ts'
import { duration, validPercentage } from '../command/valid.ts'
import { text as common } from '../strings/common.ts'
import { text } from '../strings/rollout.ts'
import { addReleaseCommand } from './commands.ts'

/** Seconds to wait in all, and between two looks. */
const TIMEOUT = 3_600
const INTERVAL = 30

const Share = z.int().min(1, text.wait.shareRange).max(100, text.wait.shareRange)

interface WaitOptions extends CommandOptions {
  /** Percent. */
  readonly adopted: number
  readonly timeout?: number
  readonly every?: number
}

/** `wait`. */
export function addWaitCommand(program: Command): void {
  addReleaseCommand(program, 'wait', AdoptionAnswer)
    .requiredOption('--adopted <pct>', text.wait.adopted, validPercentage(Share))
    .option('--timeout <duration>', text.wait.timeout, duration)
    .option('--every <duration>', text.wait.every, duration)
    .action(atVersion(wait))
}

/**
 * Waits until a share of the devices runs a release. Throws `StateConflict` once it is paused or rolled back, and
 * `Failure` when the time is over. A server that cannot be reached after the first answer is asked again.
 */
async function wait(place: ReleasePlace, options: WaitOptions): Promise<void> {
  const { adopted: wanted, timeout = TIMEOUT, every = INTERVAL } = options
  const deadline = performance.now() + timeout * 1_000
  let last: Adoption | undefined
  for (;;) {
    const adoption = await look(place, options, last !== undefined)
    if (adoption !== undefined) {
      if (adoption.status !== 'published') throw new StateConflict(text.wait.stopped(adoption))
      if (isReached(adoption, wanted)) {
        printAnswer(options, AdoptionAnswer, { adoption }, text.wait.reached(adoption))
        return
      }
      tell(adoption, last, wanted)
      last = adoption
    }
    const left = deadline - performance.now()
    if (left <= 0) throw new Failure(text.wait.timedOut(wanted, timeout, last))
    await delay(Math.min(every * 1_000, left))
  }
}

/** Returns undefined if the server cannot be reached for the moment, which is reported. */
async function look(place: ReleasePlace, options: WaitOptions, mayFail: boolean) {
  try {
    return await onServer(options, (server) => server.commandLine.adoption.query(place))
  } catch (error) {
    const { exitCode, document } = endingOf(error)
    if (!mayFail || exitCode !== EXIT.unreachable) throw error
    report(common.warning(text.wait.unreachable(document?.error.message ?? '')))
    return undefined
  }
}

function isReached({ adopted, devices }: Adoption, wanted: number): boolean {
  return devices > 0 && adopted * 100 >= wanted * devices
}

function tell(adoption: Adoption, last: Adoption | undefined, wanted: number): void {
  const { adopted, devices, rolloutPct } = adoption
  const isNews = adopted !== last?.adopted || devices !== last.devices
  if (isNews || rolloutPct !== last?.rolloutPct) report(text.wait.progress(adoption, wanted))
  if (rolloutPct < wanted && rolloutPct !== last?.rolloutPct) {
    report(common.warning(text.wait.rolloutBelow(rolloutPct, wanted)))
  }
}
