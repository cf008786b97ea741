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
  const { channel, page = 1, perPage: limit = 20 } = options
  if (app === undefined && channel !== undefined) {
    throw new UsageError('--channel: name the app of the channel before it')
  }
  const { withCatalog } = await import('./session.ts')
  const { requireApp, requireChannel } = await import('../catalog/catalog.ts')
  const { showRelease } = await import('../catalog/show-release.ts')
  const { releases, total } = await withCatalog(options, async (catalog) => {
    const { snapshot, store } = catalog
    const named = app === undefined ? undefined : requireApp(snapshot, app)
    const appKey = named === undefined ? {} : { appKey: named.record.key }
    const channelKey =
      named === undefined || channel === undefined
        ? {}
        : { channelKey: requireChannel(named, channel).record.key }
    const offset = (page - 1) * limit
    const found = await store.releasePage({ ...appKey, ...channelKey, limit, offset })
    // The page is read from the store, which may have more than the snapshot.
    const { channelByKey } = await catalog.refresh()
    const releases = found.releases.flatMap((release) => {
      const place = channelByKey.get(release.channelKey)
      // Removed after the page was read.
      return place === undefined ? [] : [showRelease(place, release)]
    })
    return { releases, total: found.total }
  })
  const pageCount = Math.ceil(total / limit)
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
  const { withCatalog, commandLineActor } = await import('./session.ts')
  const { requireApp, requireChannel } = await import('../catalog/catalog.ts')
  const { changeServing } = await import('../catalog/serving.ts')
  const { showRelease } = await import('../catalog/show-release.ts')
  const change = { targets, rolloutPct, status }
  const release = await withCatalog(options, async (catalog) => {
    const place = requireChannel(requireApp(catalog.snapshot, app), channel)
    const result = await changeServing(catalog, commandLineActor(), place, version, change)
    return showRelease(place, result.release)
  })
  if (options.json) printJson({ release })
  else printReleases([release])
}
