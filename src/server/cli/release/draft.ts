import { type Command, InvalidArgumentError, Option } from 'commander'
import type { z } from 'zod'
import { parsedBy } from '../../../shared/issue.ts'
import {
  type Draft,
  DraftAnswer,
  DraftListAnswer,
  type DraftPlace,
  ExpectedArtifact,
  type PublishDraftBody,
} from '../../../shared/releases/draft.ts'
import { EVERY_DEVICE } from '../../../shared/releases/targets.ts'
import { missingArtifacts } from '../../catalog/releases/draft-content.ts'
import {
  addListCommand,
  addVersionCommand,
  atVersion,
  type CommandOptions,
  onServer,
} from '../command/options.ts'
import { print, printAnswer, printTable } from '../command/output.ts'
import { percentage, several } from '../command/valid.ts'
import { PublishedDocument } from '../documents/documents.ts'
import { addTargetOptions, type TargetOptions, targetsOf } from '../publish/publish-options.ts'
import {
  IF_EXISTS,
  type IfExists,
  orExisting,
  rolledBackProblem,
} from '../publish/publish-or-same.ts'
import type { CommandServer } from '../server/calls.ts'
import { text } from '../strings/draft.ts'
import { text as publishText } from '../strings/publish.ts'
import { addPlanOptions, type PlanOptions, planOf } from './plan-options.ts'
import { printReleases } from './release-table.ts'

/** `draft list`, `draft show`, `draft publish`, `draft delete`. */
export function addDraftCommands(program: Command): void {
  const draft = program.command('draft').description(text.description)

  addListCommand(
    draft,
    text.list,
    DraftListAnswer,
    (server, query) => server.drafts.list.query(query),
    printDrafts,
  )

  addVersionCommand(draft, 'show', text.show, DraftAnswer, text.version).action(atVersion(show))

  const publishing = addVersionCommand(
    draft,
    'publish',
    text.publish,
    PublishedDocument,
    text.version,
  )
    .option('--expect <platform/arch[/kind]>', text.expect, several(readExpected))
    .option('--rollout <pct>', text.rollout, percentage)
  addTargetOptions(addPlanOptions(publishing))
    .addOption(new Option('--if-exists <what>', text.ifExists).choices(IF_EXISTS))
    .action(atVersion(publish))

  addVersionCommand(draft, 'delete', text.delete, DraftAnswer, text.version).action(
    atVersion(discard),
  )
}

/** Reads the option `--expect`: `windows/x86_64`, or `linux/x86_64/deb` for an artifact of that kind. */
function readExpected(typed: string): ExpectedArtifact {
  const [platform, arch, kind, ...rest] = typed.split('/')
  if (arch === undefined || rest.length > 0 || kind === '') {
    throw new InvalidArgumentError(text.expectForm)
  }
  return parsedBy(ExpectedArtifact, { platform, arch, kind }, ({ path, reason }) => {
    return new InvalidArgumentError(text.wrongExpect(path.join('.'), reason))
  })
}

function printDrafts({ drafts }: z.output<typeof DraftListAnswer>): void {
  const rows = drafts.map(({ app, channel, version, artifacts, updatedAt, expiresAt }) => {
    return [app, channel, version, artifacts.length, updatedAt, expiresAt]
  })
  printTable(text.list.headings, rows, text.list.empty)
}

async function show(place: DraftPlace, options: CommandOptions): Promise<void> {
  const { draft } = await onServer(options, (server) => server.drafts.get.query(place))
  printAnswer(options, DraftAnswer, { draft }, () => printDraft(draft))
}

async function discard(place: DraftPlace, options: CommandOptions): Promise<void> {
  const draft = await onServer(options, (server) => server.drafts.discard.mutate(place))
  const line = text.deleted(draft.version, `${draft.app}/${draft.channel}`)
  printAnswer(options, DraftAnswer, { draft }, line)
}

/** Writes a draft with its artifacts to stdout. */
export function printDraft(draft: Draft): void {
  const { app, channel, version, artifacts, expiresAt } = draft
  print(text.shown(version, `${app}/${channel}`, artifacts.length, expiresAt))
  if (artifacts.length === 0) return
  const hasFloors = artifacts.some(({ minimumSystemVersion }) => minimumSystemVersion !== undefined)
  printTable(
    [...text.artifactHeadings, ...(hasFloors ? [text.floorHeading] : []), text.urlHeading],
    artifacts.map(({ platform, arch, kind, size, minimumSystemVersion, url }) => [
      platform,
      arch,
      kind === '' ? null : kind,
      size === 0 ? null : size,
      ...(hasFloors ? [minimumSystemVersion ?? null] : []),
      url,
    ]),
    '',
  )
}

interface PublishOptions extends CommandOptions, TargetOptions, PlanOptions {
  readonly expect?: readonly ExpectedArtifact[]
  readonly rollout?: number
  readonly ifExists?: IfExists
}

async function publish(place: DraftPlace, options: PublishOptions): Promise<void> {
  const { rollout: rolloutPct = 100, expect = [], ifExists = 'fail' } = options
  const targets = targetsOf(options) ?? EVERY_DEVICE
  const plan = planOf(options)
  const body = { ...place, rolloutPct, targets, plan, expect: [...expect] }
  const published = await onServer(options, (server) => publishOnce(server, body, ifExists))
  const { release, created } = published
  printAnswer(options, PublishedDocument, published, () => {
    printReleases([release])
    if (release.artifacts.length === 0) print(publishText.noArtifacts)
    if (!created) print(text.alreadyPublished(place.version))
    else if (release.status === 'paused') print(publishText.awaitsProof(place.version))
  })
}

/**
 * Publishes a draft. With `same-ok`, a version that exists and has the expected artifacts is left as it is: an earlier
 * run has published it. Throws `StateConflict` if it lacks one, or was rolled back.
 */
async function publishOnce(server: CommandServer, body: PublishDraftBody, ifExists: IfExists) {
  const publish = async () => ({ release: await server.drafts.publish.mutate(body), created: true })
  return await orExisting(server, body, ifExists, publish, (release, place) => {
    const missing = missingArtifacts(release.artifacts, body.expect)
    if (missing.length > 0) return text.lacks(place, body.version, missing)
    return rolledBackProblem(release, place)
  })
}
