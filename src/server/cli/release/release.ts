import type { Command } from 'commander'
import { ChannelName, Version } from '../../../shared/names.ts'
import {
  PublishBody,
  ReleaseAnswer,
  ReleaseListAnswer,
  ReleaseListQuery,
  ReleaseStatus,
  RolloutPct,
} from '../../../shared/release.ts'
import { UsageError } from '../errors.ts'
import { addServerCommand, type CommandOptions, several, valid, validNumber } from '../options.ts'
import { print, printJson } from '../output.ts'
import { addPlanCommands } from '../plan/commands.ts'
import { text as common } from '../strings/common.ts'
import { text } from '../strings/release.ts'
import { addCheckCommand } from './release-check.ts'
import { readArtifact, readTargetsFile } from './release-files.ts'
import { addHealthCommand } from './release-health.ts'
import { addProveCommand } from './release-prove.ts'
import { publish } from './release-publish.ts'
import { printReleases } from './release-table.ts'

const { page, per_page: perPage } = ReleaseListQuery.shape

/** `release list`, `release check`, `release prove`, `release health`, and the former `release publish` and `release serving`. */
export function addReleaseCommands(program: Command): void {
  const release = program.command('release').description(text.description)

  addServerCommand(release, 'list', text.list.description, ReleaseListAnswer)
    .argument('[app]', text.list.app)
    .option('--channel <channel>', text.list.channel, valid(ChannelName))
    .option('--page <n>', text.list.page, validNumber(page))
    .option('--per-page <n>', text.list.perPage, validNumber(perPage))
    .action(list)

  addCheckCommand(release)
  addProveCommand(release)
  addPlanCommands(release)
  addHealthCommand(release)

  addServerCommand(release, 'publish', text.publish.description, ReleaseAnswer, 'publish')
    .argument('<app>', common.appArgument)
    .argument('<channel>', common.channelArgument)
    .argument('<version>', text.publish.version, valid(Version))
    .option('--notes <text>', text.publish.notes, valid(PublishBody.shape.notes))
    .option('--notes-file <file>', text.publish.notesFile)
    .option('--rollout <pct>', text.publish.rollout, validNumber(RolloutPct))
    .option('--targets-file <file>', text.publish.targetsFile)
    .option('--artifact <members>', text.publish.artifact, several(readArtifact))
    .option('--artifacts-file <file>', text.publish.artifactsFile)
    .action(publish)

  addServerCommand(release, 'serving', text.serving.description, ReleaseAnswer, 'ramp')
    .argument('<app>', common.appArgument)
    .argument('<channel>', common.channelArgument)
    .argument('<version>', common.versionArgument, valid(Version))
    .option('--rollout <pct>', text.serving.rollout, validNumber(RolloutPct))
    .option('--status <status>', text.serving.status(ReleaseStatus.options), valid(ReleaseStatus))
    .option('--targets-file <file>', text.serving.targetsFile)
    .action(serving)
}

interface ListOptions extends CommandOptions {
  readonly channel?: string
  readonly page?: number
  readonly perPage?: number
}

async function list(app: string | undefined, options: ListOptions): Promise<void> {
  const { channel, page = 1, perPage = 20 } = options
  if (app === undefined && channel !== undefined) {
    throw new UsageError(text.list.channelNeedsApp)
  }
  const { withServer } = await import('../server/connect.ts')
  const found = await withServer(options, (server) =>
    server.commandLine.releases.query({ app, channel, page, perPage }),
  )
  if (options.json) {
    printJson(ReleaseListAnswer, found)
    return
  }
  const { releases, pageCount, total } = found
  printReleases(releases)
  if (pageCount > 1) print(text.list.pages(page, pageCount, total))
}

interface ServingOptions extends CommandOptions {
  readonly rollout?: number
  readonly status?: ReleaseStatus
  readonly targetsFile?: string
}

async function serving(
  app: string,
  channel: string,
  version: string,
  options: ServingOptions,
): Promise<void> {
  const { rollout: rolloutPct, status, targetsFile } = options
  if (rolloutPct === undefined && status === undefined && targetsFile === undefined) {
    throw new UsageError(text.serving.nothing)
  }
  const targets = targetsFile === undefined ? undefined : readTargetsFile(targetsFile)
  const { withServer } = await import('../server/connect.ts')
  const change = { app, channel, version, targets, rolloutPct, status }
  const release = await withServer(options, (server) =>
    server.releases.changeServing.mutate(change),
  )
  if (options.json) printJson(ReleaseAnswer, { release })
  else printReleases([release])
}
