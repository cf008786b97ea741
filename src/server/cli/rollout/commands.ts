import { type Command, Option } from 'commander'
import type { z } from 'zod'
import { ChannelName } from '../../../shared/names.ts'
import { ReleaseAnswer, type ReleaseStatus, type ServingBody } from '../../../shared/release.ts'
import { PublishedDocument } from '../documents/documents.ts'
import { StateConflict, UsageError } from '../errors.ts'
import { addVersionCommand, type CommandOptions, valid } from '../options.ts'
import { printJson } from '../output.ts'
import { percentage } from '../percentage.ts'
import { addPlanOptions } from '../plan/plan-options.ts'
import { IF_EXISTS } from '../publish/publish-or-same.ts'
import { addTargetOptions, type TargetOptions, targetsOf } from '../publish/target-options.ts'
import { printReleases } from '../release/release-table.ts'
import { text as publishing } from '../strings/publish.ts'
import { text } from '../strings/rollout.ts'
import { promote } from './promote.ts'

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
    (app: string, channel: string, version: string, options: CommandOptions) =>
      changeServing({ app, channel, version, status }, options),
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
  const { withServer } = await import('../server/connect.ts')
  const release = await withServer(options, (server) =>
    server.releases.changeServing.mutate(change),
  )
  if (release.status === 'rolled_back' && change.status === undefined) {
    throw new StateConflict(text.rolledBack(release.version))
  }
  if (options.json) printJson(ReleaseAnswer, { release })
  else printReleases([release])
}
