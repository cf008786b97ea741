import { setTimeout as delay } from 'node:timers/promises'
import type { Command } from 'commander'
import type { ReleasePlace } from '../../../shared/console/releases/releases.ts'
import { ProofAnswer, type ReleaseProof } from '../../../shared/files/proof.ts'
import { UpdaterClient } from '../../../shared/files/updater.ts'
import type { Release } from '../../../shared/releases/release.ts'
import { ReleaseCheckAnswer } from '../../../shared/releases/release-check.ts'
import { ReleaseListAnswer } from '../../../shared/releases/release-list.ts'
import { compareVersions, parseVersion } from '../../rules/decision/version.ts'
import { checkReleaseFiles } from '../../rules/updaters/check-release.ts'
import { isDelta } from '../../rules/updaters/packages.ts'
import { Failure, StateConflict } from '../command/errors.ts'
import {
  addListCommand,
  addVersionCommand,
  atVersion,
  type CommandOptions,
  onServer,
} from '../command/options.ts'
import { print, printAnswer, printTable, report } from '../command/output.ts'
import { duration, several, valid } from '../command/valid.ts'
import type { CommandServer } from '../server/calls.ts'
import { text } from '../strings/release.ts'
import { addHealthCommand } from './health.ts'
import { addPlanCommands } from './plan.ts'
import { printReleases } from './release-table.ts'

/** `release list`, `release check`, `release prove`, `release plan` and `release health`. */
export function addReleaseCommands(program: Command): void {
  const release = program.command('release').description(text.description)

  addListCommand(
    release,
    text.list,
    ReleaseListAnswer,
    (server, query) => server.commandLine.releases.query(query),
    ({ releases }) => printReleases(releases),
  )

  addCheckCommand(release)
  addProveCommand(release)
  addPlanCommands(release)
  addHealthCommand(release)
}

/** An update check hands out any file: an app must say that it installs them itself. */
const UPDATERS = UpdaterClient.options.filter((client) => client !== 'update_check')

interface CheckOptions extends CommandOptions {
  readonly client?: readonly UpdaterClient[]
}

function addCheckCommand(release: Command): void {
  addVersionCommand(release, 'check', text.check.description, ReleaseCheckAnswer)
    .option(
      '--client <client>',
      text.check.client(UpdaterClient.options),
      several(valid(UpdaterClient)),
    )
    .action(check)
}

/** Throws `Failure` if no client is offered some file. */
async function check(app: string, channel: string, version: string, options: CheckOptions) {
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
    printTable(text.check.headings, targets.map(text.check.row), text.check.empty)
    if (targets.some(({ floors }) => floors.length > 0)) print(text.check.floors)
    if (status !== 'published') print(text.check.notPublished(release.version, status))
  })
  if (unoffered.length > 0) throw new Failure(text.check.unoffered(unoffered, options.client))
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

/** Seconds to wait in all. */
const TIMEOUT = 7_200
/** Milliseconds between two looks. */
const INTERVAL = 500
/** Looks between two lines about the progress of an artifact. */
const LOOKS_PER_LINE = 10

interface ProveOptions extends CommandOptions {
  /** Seconds. */
  readonly timeout?: number
}

function addProveCommand(release: Command): void {
  addVersionCommand(release, 'prove', text.prove.description, ProofAnswer)
    .option('--timeout <duration>', text.prove.timeout, duration)
    .action(atVersion(prove))
}

/** Throws `StateConflict` if an artifact is not proven, and `Failure` when the time is over. */
async function prove(place: ReleasePlace, options: ProveOptions): Promise<void> {
  const proof = await onServer(options, (server) => proveOn(server, place, options))
  printAnswer(options, ProofAnswer, { proof }, () => printProof(proof))
  const { artifacts } = proof
  const failed = artifacts.filter(({ state }) => state !== 'proven').length
  if (failed > 0)
    throw new StateConflict(text.prove.failed(failed, artifacts.length, place.version))
}

async function proveOn(
  server: CommandServer,
  place: ReleasePlace,
  { timeout = TIMEOUT, json = false }: ProveOptions,
): Promise<ReleaseProof> {
  const deadline = performance.now() + timeout * 1_000
  const first = await server.releases.prove.mutate(place)
  let last = first
  for (let looks = 1; last.state === 'running'; looks++) {
    if (performance.now() > deadline) throw new Failure(text.prove.timedOut(place.version, timeout))
    await delay(INTERVAL)
    const proof = await server.releases.proof.query(place)
    if (!json) tell(proof, last, looks % LOOKS_PER_LINE === 0)
    last = proof
  }
  if (!json && first.awaitsProof && !last.awaitsProof) report(text.prove.resumed(place.version))
  return last
}

function tell(proof: ReleaseProof, last: ReleaseProof, isDue: boolean): void {
  for (const [index, artifact] of proof.artifacts.entries()) {
    if (artifact.state === 'running' && isDue) report(text.prove.progress(artifact))
    const hasEnded = artifact.state === 'proven' || artifact.state === 'failed'
    if (hasEnded && last.artifacts[index]?.state !== artifact.state)
      report(text.prove.ended(artifact))
  }
}

function printProof({ artifacts }: ReleaseProof): void {
  printTable(
    text.prove.headings,
    artifacts.map((artifact) => [
      artifact.platform,
      artifact.arch,
      artifact.kind === '' ? null : artifact.kind,
      text.prove.state(artifact.state),
      artifact.checkedAt,
      text.prove.details(artifact),
    ]),
    text.prove.empty,
  )
}
