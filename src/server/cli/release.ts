import type { Command } from 'commander'
import { ChannelName, Version } from '../../shared/names.ts'
import { PublishBody, ReleaseListQuery, ReleaseStatus, RolloutPct } from '../../shared/release.ts'
import { UsageError } from './errors.ts'
import { addReadCommand, type ReadOptions, several, valid, validNumber } from './options.ts'
import { print, printJson } from './output.ts'
import { readArtifact, readTargetsFile } from './release-files.ts'
import { publish } from './release-publish.ts'
import { printReleases } from './release-table.ts'

const { page, per_page: perPage } = ReleaseListQuery.shape

/** `release list`, `release publish`, `release serving`. */
export function addReleaseCommands(program: Command): void {
  const release = program.command('release').description('list, publish and serve releases')

  addReadCommand(release, 'list', 'list releases, newest first')
    .argument('[app]', 'app, by ref or id (default: all)')
    .option('--channel <channel>', 'of this channel of the app alone', valid(ChannelName))
    .option('--page <n>', 'page, from 1 (default: 1)', validNumber(page))
    .option('--per-page <n>', 'releases on a page, 1 to 100 (default: 20)', validNumber(perPage))
    .action(list)

  addReadCommand(release, 'publish', 'publish a release; it never changes afterwards')
    .argument('<app>', 'app, by ref or id')
    .argument('<channel>', 'name of the channel')
    .argument('<version>', 'such as 1.4.0', valid(Version))
    .option('--notes <text>', 'release notes in markdown', valid(PublishBody.shape.notes))
    .option('--notes-file <file>', 'the same from a file')
    .option('--rollout <pct>', 'share of devices, 0 to 100 (default: 100)', validNumber(RolloutPct))
    .option('--targets-file <file>', 'targets from a JSON file (default: every device)')
    .option(
      '--artifact <members>',
      'platform=…,arch=…,url=…,sha512=…[,size=…][,signature=…]; repeatable',
      several(readArtifact),
    )
    .option('--artifacts-file <file>', 'an array of artifacts from a JSON file')
    .action(publish)

  addReadCommand(release, 'serving', 'change how a release is served')
    .argument('<app>', 'app, by ref or id')
    .argument('<channel>', 'name of the channel')
    .argument('<version>', 'version of the release', valid(Version))
    .option('--rollout <pct>', 'share of devices, 0 to 100', validNumber(RolloutPct))
    .option('--status <status>', ReleaseStatus.options.join(', '), valid(ReleaseStatus))
    .option('--targets-file <file>', 'targets from a JSON file')
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
    throw new UsageError('--channel: name the app of the channel before it')
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
  if (pageCount > 1) print(`Page ${page} of ${pageCount}, ${total} releases in all.`)
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
    throw new UsageError('give at least one of --rollout, --status and --targets-file')
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
