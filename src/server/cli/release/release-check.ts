import type { Command } from 'commander'
import type { Release } from '../../../shared/release.ts'
import { ReleaseCheckAnswer, UpdaterClient } from '../../../shared/release-check.ts'
import { compareVersions, parseVersion } from '../../decision/version.ts'
import { checkReleaseFiles } from '../../updaters/check-release.ts'
import { isDelta } from '../../updaters/packages.ts'
import { Failure } from '../errors.ts'
import { addVersionCommand, type CommandOptions, onServer, several, valid } from '../options.ts'
import { print, printAnswer, printTable } from '../output.ts'
import type { CommandServer } from '../server/calls.ts'
import { text } from '../strings/release-check.ts'

/** An update check hands out any file: an app must say that it installs them itself. */
const UPDATERS = UpdaterClient.options.filter((client) => client !== 'update_check')

interface CheckOptions extends CommandOptions {
  readonly client?: readonly UpdaterClient[]
}

/** `release check`. */
export function addCheckCommand(release: Command): void {
  addVersionCommand(release, 'check', text.description, ReleaseCheckAnswer)
    .option('--client <client>', text.client(UpdaterClient.options), several(valid(UpdaterClient)))
    .action(check)
}

/** Throws `Failure` if no client is offered some file. */
async function check(
  app: string,
  channel: string,
  version: string,
  options: CheckOptions,
): Promise<void> {
  const { release, others } = await onServer(options, async (server) => {
    const found = await server.commandLine.release.query({ app, channel, version })
    return { release: found, others: await othersOf(found, server) }
  })
  const { client = UPDATERS } = options
  const { targets, unoffered } = checkReleaseFiles(release, client, others)
  const { status } = release
  const place = { app: release.app, channel: release.channel, version: release.version }
  const document = { check: { ...place, status, targets, unoffered } }
  printAnswer(options, ReleaseCheckAnswer, document, () => {
    printTable(text.headings, targets.map(text.row), text.empty)
    if (targets.some(({ floors }) => floors.length > 0)) print(text.floors)
    if (status !== 'published') print(text.notPublished(release.version, status))
  })
  if (unoffered.length > 0) throw new Failure(text.unoffered(unoffered, options.client))
}

/** Releases that are asked for at once, and at most in all. */
const PER_PAGE = 100
const MAX_PAGES = 50

/**
 * Returns the other releases of the channel, highest version first, for devices whose system is too old for a release, and for what
 * its delta packages were built from; none if it has neither.
 */
async function othersOf(release: Release, server: CommandServer): Promise<Release[]> {
  const { app, channel, version, artifacts } = release
  const needsOthers = artifacts.some((each) => {
    return each.minimumSystemVersion !== undefined || isDelta(each)
  })
  if (!needsOthers) return []
  const found: Release[] = []
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const query = { app, channel, page, perPage: PER_PAGE }
    const { releases, pageCount } = await server.commandLine.releases.query(query)
    found.push(...releases)
    if (page >= pageCount) break
  }
  return found
    .filter((each) => each.version !== version)
    .sort((one, other) => compareVersions(parseVersion(other.version), parseVersion(one.version)))
}
