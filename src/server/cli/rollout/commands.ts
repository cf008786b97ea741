import { type Command, Option } from 'commander'
import type { z } from 'zod'
import { ChannelName } from '../../../shared/names.ts'
import {
  ReleaseAnswer,
  type ReleaseStatus,
  type ServingBody,
} from '../../../shared/releases/release.ts'
import { EVERY_DEVICE } from '../../../shared/releases/targets.ts'
import { StateConflict, UsageError } from '../command/errors.ts'
import { addVersionCommand, atVersion, type CommandOptions, onServer } from '../command/options.ts'
import { print, printAnswer } from '../command/output.ts'
import { percentage, valid } from '../command/valid.ts'
import { PublishedDocument } from '../documents/documents.ts'
import { addTargetOptions, type TargetOptions, targetsOf } from '../publish/publish-options.ts'
import { IF_EXISTS, type IfExists, publishOrSame } from '../publish/publish-or-same.ts'
import { addPlanOptions, type PlanOptions, planOf } from '../release/plan-options.ts'
import { printReleases } from '../release/release-table.ts'
import { text as publishing } from '../strings/publish.ts'
import { text } from '../strings/rollout.ts'

/** `promote`, `ramp`, `pause`, `resume`, `rollback`, `retarget`. */
export function addRolloutCommands(program: Command): void {
  addPromote(program)
  addReleaseCommand(program, 'ramp')
    .argument('<pct>', text.ramp.percentage, percentage)
    .action((app, channel, version, rolloutPct: number, options: CommandOptions) =>
      changeServing({ app, channel, version, rolloutPct }, options),
    )
  addStatusCommand(program, 'pause', 'paused')
  addStatusCommand(program, 'resume', 'published')
  addStatusCommand(program, 'rollback', 'rolled_back')
  addTargetOptions(addReleaseCommand(program, 'retarget')).action(
    async (app, channel, version, options: CommandOptions & TargetOptions) => {
      const targets = targetsOf(options)
      if (targets === undefined) throw new UsageError(text.retarget.nothing)
      await changeServing({ app, channel, version, targets }, options)
    },
  )
}

function addPromote(program: Command): void {
  const command = addReleaseCommand(program, 'promote', PublishedDocument)
    .requiredOption('--to <channel>', text.promote.to, valid(ChannelName))
    .option('--rollout <pct>', publishing.rollout, percentage)
  addTargetOptions(addPlanOptions(command))
  command
    .addOption(new Option('--if-exists <what>', publishing.ifExists).choices(IF_EXISTS))
    .action(promote)
}

function addStatusCommand(
  program: Command,
  name: 'pause' | 'resume' | 'rollback',
  status: ReleaseStatus,
): void {
  addReleaseCommand(program, name).action(
    atVersion((place, options: CommandOptions) => changeServing({ ...place, status }, options)),
  )
}

/** Adds a command about one release. */
export function addReleaseCommand(
  program: Command,
  name: 'promote' | 'ramp' | 'pause' | 'resume' | 'rollback' | 'retarget' | 'wait',
  document: z.ZodType = ReleaseAnswer,
): Command {
  return addVersionCommand(program, name, text[name].description, document)
}

/**
 * Changes how a release is served, and prints it as it is then. Throws `StateConflict` for a rollout or targets of a
 * release that was rolled back, also where they are what it had: a script must not take that for success.
 */
async function changeServing(change: ServingBody, options: CommandOptions): Promise<void> {
  const release = await onServer(options, (server) => server.releases.changeServing.mutate(change))
  if (release.status === 'rolled_back' && change.status === undefined) {
    throw new StateConflict(text.rolledBack(release.version))
  }
  printAnswer(options, ReleaseAnswer, { release }, () => printReleases([release]))
}

interface PromoteOptions extends CommandOptions, TargetOptions, PlanOptions {
  readonly to: string
  readonly rollout?: number
  readonly ifExists?: IfExists
}

/**
 * `promote`: publishes the version, notes and artifacts of a release on another channel. Rollout and targets start with
 * their defaults, as when a release is copied in the console. A release that is paused or rolled back is not promoted.
 */
async function promote(app: string, channel: string, version: string, options: PromoteOptions) {
  const { to, rollout: rolloutPct = 100, ifExists = 'fail' } = options
  if (to === channel) throw new UsageError(text.promote.sameChannel)
  const targets = targetsOf(options) ?? EVERY_DEVICE
  const plan = planOf(options)
  const promoted = await onServer(options, async (server) => {
    const from = { app, channel, version }
    const { notes, artifacts, documents, status } = await server.commandLine.release.query(from)
    if (status !== 'published') {
      throw new StateConflict(text.promote.notServed(version, channel, status))
    }
    const content = { ...from, channel: to, notes, artifacts, documents, rolloutPct, targets, plan }
    return await publishOrSame(server, content, ifExists)
  })
  printAnswer(options, PublishedDocument, promoted, () => {
    printReleases([promoted.release])
    if (!promoted.created) print(publishing.sameExists(version))
  })
}
