import { createReadStream, readFileSync } from 'node:fs'
import { fileNameOf } from '../../../shared/artifacts/address.ts'
import { unofferedPackage } from '../../../shared/artifacts/unoffered.ts'
import { unsignedFiles } from '../../../shared/files/unsigned.ts'
import { parsedBy } from '../../../shared/issue.ts'
import { Version } from '../../../shared/names.ts'
import { type Artifact, MAX_ARTIFACTS } from '../../../shared/releases/release.ts'
import { EVERY_DEVICE } from '../../../shared/releases/targets.ts'
import {
  remarkSentence,
  stagedSentence,
  unofferedSentence,
  unsignedWarning,
} from '../../../shared/wording/artifacts.ts'
import { uncheckedSentence } from '../../../shared/wording/document.ts'
import { areBlocksOf, MAX_GIVEN, readGivenMap } from '../../hosting/block-maps/given-map.ts'
import { BLOCK_MAP, isMapped } from '../../use-cases/files/mapped-file.ts'
import { Failure, UsageError } from '../command/errors.ts'
import { type CommandOptions, onServer } from '../command/options.ts'
import { print, printAnswer, report } from '../command/output.ts'
import { PublishedDocument } from '../documents/documents.ts'
import { type PlanOptions, planOf } from '../release/plan-options.ts'
import { readArtifactsFile } from '../release/release-files.ts'
import { printReleases } from '../release/release-table.ts'
import { text as draftText } from '../strings/draft.ts'
import { text } from '../strings/publish.ts'
import { type BuiltFile, isFile, readBuiltFile } from './built-file.ts'
import { readNotes } from './notes.ts'
import { type RolloutOption, rolloutOf, type TargetOptions, targetsOf } from './publish-options.ts'
import { type IfExists, publishOrSame } from './publish-or-same.ts'
import { artifactsOf, uploadRows } from './rows.ts'
import type { SourceOptions } from './sources.ts'
import { checkUploads } from './uploads.ts'
import { Warnings } from './warnings.ts'

export interface PublishOptions extends CommandOptions, SourceOptions, TargetOptions, PlanOptions {
  readonly artifact?: readonly Artifact[]
  readonly artifactsFile?: string
  readonly verifyUrls?: boolean
  readonly urlTimeout?: number
  readonly notes?: string
  readonly rollout?: RolloutOption
  readonly ifExists?: IfExists
  readonly draft?: boolean
  readonly strict?: boolean
}

/** Seconds of silence after which a download is given up. */
export const URL_TIMEOUT = 60

/** `publish`. */
export async function publish(
  app: string,
  channel: string,
  typed: string | undefined,
  options: PublishOptions,
): Promise<void> {
  const { ifExists = 'fail' } = options
  if (options.draft) refuseServing(options)
  const targets = targetsOf(options) ?? EVERY_DEVICE
  const plan = planOf(options)
  if (options.upload && options.urlBase !== undefined) throw new UsageError(text.uploadOrBase)
  const warnings = new Warnings(options.strict === true)
  const given = givenArtifacts(options, warnings)
  const { readSources } = await import('./sources.ts')
  const sources = await readSources(options)
  const version = typed ?? versionOf(sources.version)
  const notes =
    options.notes === undefined ? sources.notes : await readNotes(options.notes, version)
  warnings.addOf(sources.rows, version, options.upload === true)
  const isLater = options.draft === true || plan !== undefined
  const { rolloutPct = 100, ignored } = rolloutOf(options.rollout, sources.staged, isLater)
  for (const staged of ignored) warnings.add(stagedSentence(staged))
  for (const remark of sources.remarks) warnings.add(remarkSentence(remark))
  const maps = options.upload ? await blockMapsBeside(sources.built.values(), warnings) : new Map()
  if (options.strict && !options.draft) {
    // Before anything is uploaded.
    await onServer(options, (server) => warnings.addOrder(server, { app, channel, version }))
  }
  if (!options.draft && given.length + sources.rows.length === 0) warnings.add(text.noArtifacts)
  warnings.refuse()
  const rows = options.upload
    ? await uploadRows(sources.rows, sources.built, maps, options)
    : sources.rows
  const read = artifactsOf(rows, notes, options.verifyUrls === true)
  const listed = [...given, ...read]
  refuseMany(listed)
  const artifacts = options.verifyUrls ? await verified(listed, options) : listed
  // A signature that cannot be checked is a warning, which a strict pipeline refuses.
  const signed = sources.documents.map((each) => ({ ...each, checked: options.strict === true }))
  const documents = signed.length === 0 ? undefined : signed
  if (options.draft) {
    const { putDraft } = await import('../release/put-draft.ts')
    // Another job may have given the notes.
    const given = options.notes === undefined && notes === '' ? {} : { notes }
    await putDraft({ app, channel, version, ...given, artifacts, documents }, ifExists, options)
    return
  }
  const content = { app, channel, version, notes, rolloutPct, targets, artifacts, documents, plan }
  const published = await onServer(options, async (server) => {
    if (!options.strict) await warnings.addOrder(server, content)
    return await publishOrSame(server, content, ifExists)
  })
  const unchecked = uncheckedSentence(published.release.documents)
  if (unchecked !== null) warnings.add(unchecked)
  printAnswer(options, PublishedDocument, published, () => {
    printReleases([published.release])
    if (!published.created) print(text.sameExists(version))
    else if (published.release.status === 'paused') print(text.awaitsProof(version))
  })
}

/** Artifacts of `--artifact` and `--artifacts-file`. Throws `UsageError` if nothing says what to publish. */
function givenArtifacts(options: PublishOptions, warnings: Warnings): Artifact[] {
  const { artifact = [], artifactsFile, from = [], file = [], draft, notes } = options
  if (artifactsFile === undefined && artifact.length + from.length + file.length === 0) {
    if (!draft) throw new UsageError(text.nothing)
    if (notes === undefined) throw new UsageError(draftText.nothing)
  }
  const given = [
    ...artifact,
    ...(artifactsFile === undefined ? [] : readArtifactsFile(artifactsFile)),
  ]
  const unsigned = unsignedWarning(unsignedFiles(given))
  if (unsigned !== null) warnings.add(unsigned)
  for (const { url, signature, size } of given) {
    for (const unoffered of unofferedPackage(fileNameOf(url), signature, size)) {
      warnings.add(unofferedSentence(unoffered))
    }
  }
  return given
}

/** Refuses options that say how a release is served, which a draft is not. Throws `UsageError`. */
function refuseServing({ rollout, targets, targetsFile, plan }: PublishOptions): void {
  const [option] = Object.entries({ rollout, targets, 'targets-file': targetsFile, plan }).flatMap(
    ([name, value]) => (value === undefined ? [] : [`--${name}`]),
  )
  if (option !== undefined) throw new UsageError(draftText.onPublish(option))
}

function versionOf(found: string): string {
  if (found === '') throw new UsageError(text.needsVersion)
  return parsedBy(Version, found, ({ reason }) => new UsageError(text.wrongVersion(found, reason)))
}

function refuseMany({ length }: readonly Artifact[]): void {
  if (length > MAX_ARTIFACTS) throw new UsageError(text.manyArtifacts(MAX_ARTIFACTS, length))
}

/** The artifacts with the size and SHA-512 of what was uploaded. Throws `Failure` that names every difference. */
async function verified(
  artifacts: readonly Artifact[],
  { urlTimeout = URL_TIMEOUT }: PublishOptions,
): Promise<Artifact[]> {
  const checks = await checkUploads(artifacts, urlTimeout, (checked) => {
    if (checked.ok) report(text.verified(checked.upload.url, checked.downloaded.size))
  })
  const problems = checks.flatMap((checked) =>
    checked.ok ? [] : [text.uploadProblem(checked.upload.url, checked.problem)],
  )
  if (problems.length > 0) throw new Failure(text.notVerified(problems, checks.length))
  return artifacts.map((artifact, index) => {
    const checked = checks[index]
    if (!checked?.ok) return artifact
    const { sha512, size } = checked.downloaded
    return { ...artifact, sha512: artifact.sha512 || sha512, size }
  })
}

/**
 * Returns the block maps that electron-builder has written beside files, by the paths of those. One that is of another file is
 * left out with a warning. Throws `Failure` for what cannot be read.
 */
async function blockMapsBeside(built: Iterable<BuiltFile>, warnings: Warnings) {
  const maps = new Map<string, BuiltFile>()
  for (const file of built) {
    const path = `${file.path}${BLOCK_MAP}`
    if (!isMapped(file.name) || maps.has(file.path) || !isFile(path)) continue
    const map = await readBuiltFile('--file', path)
    if (await isMapOf(map, file)) maps.set(file.path, map)
    else warnings.add(text.otherBlockMap(map.name, file.name))
  }
  return maps
}

async function isMapOf(map: BuiltFile, file: BuiltFile): Promise<boolean> {
  const blocks = map.size > MAX_GIVEN ? undefined : await readGivenMap(readFileSync(map.path))
  return blocks !== undefined && (await areBlocksOf(blocks, createReadStream(file.path)))
}
