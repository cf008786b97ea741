import type { Command } from 'commander'
import { ChannelName, Version } from '../../shared/names.ts'
import { PublishBody, ReleaseListQuery, ReleaseStatus, RolloutPct } from '../../shared/release.ts'
import { UsageError } from './errors.ts'
import { addReadCommand, type ReadOptions, several, valid, validNumber } from './options.ts'
import { print, printJson } from './output.ts'
import { readArtifact, readTargetsFile } from './release-files.ts'
import { publish } from './release-publish.ts'
import { printReleases } from './release-table.ts'
import { text as common } from './strings/common.ts'
import { text } from './strings/release.ts'

const { page, per_page: perPage } = ReleaseListQuery.shape

/** `release list`, `release publish`, `release serving`. */
export function addReleaseCommands(program: Command): void {
  const release = program.command('release').description(text.description)

  addReadCommand(release, 'list', text.list.description)
    .argument('[app]', text.list.app)
    .option('--channel <channel>', text.list.channel, valid(ChannelName))
    .option('--page <n>', text.list.page, validNumber(page))
    .option('--per-page <n>', text.list.perPage, validNumber(perPage))
    .action(list)

  addReadCommand(release, 'publish', text.publish.description)
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

  addReadCommand(release, 'serving', text.serving.description)
    .argument('<app>', common.appArgument)
    .argument('<channel>', common.channelArgument)
    .argument('<version>', common.versionArgument, valid(Version))
    .option('--rollout <pct>', text.serving.rollout, validNumber(RolloutPct))
    .option('--status <status>', text.serving.status(ReleaseStatus.options), valid(ReleaseStatus))
    .option('--targets-file <file>', text.serving.targetsFile)
    .action(serving)
}

interface ListOptions extends ReadOptions {
  readonly channel?: string
  readonly page?: number
  readonly perPage?: number
}

async function list(app: string | undefined, options: ListOptions): Promise<void> {
  const { channel, page = 1, perPage = 20 } = options
  if (app === undefined && channel !== undefined) {
    throw new UsageError(text.list.channelNeedsApp)
  }
  const { withCatalog, commandLinePrincipal } = await import('./session.ts')
  const { listReleases } = await import('../updates/list-releases.ts')
  const { showRelease } = await import('../catalog/show-release.ts')
  const query = { app, channel, page, perPage }
  const found = await withCatalog(options, (catalog) =>
    listReleases({ catalog }, commandLinePrincipal(), query),
  )
  const { pageCount, total } = found
  const releases = found.releases.map(({ channel, release }) => showRelease(channel, release))
  if (options.json) {
    printJson({ releases, page, pageCount, total })
    return
  }
  printReleases(releases)
  if (pageCount > 1) print(text.list.pages(page, pageCount, total))
}

interface ServingOptions extends ReadOptions {
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
  const { withCatalog, commandLinePrincipal } = await import('./session.ts')
  const { changeServing } = await import('../updates/change-serving.ts')
  const change = { app, channel, version, targets, rolloutPct, status }
  const { release } = await withCatalog(options, (catalog) =>
    changeServing({ catalog }, commandLinePrincipal(), change),
  )
  if (options.json) printJson({ release })
  else printReleases([release])
}
