import type { Command } from 'commander'
import { issueOf } from '../../../shared/issue.ts'
import { Version } from '../../../shared/names.ts'
import {
  type Artifact,
  MAX_ARTIFACTS,
  PublishBody,
  ReleaseAnswer,
  ReleaseListAnswer,
  ReleaseStatus,
  RolloutPct,
} from '../../../shared/release.ts'
import { EVERY_DEVICE } from '../../../shared/targets.ts'
import { unsignedFiles } from '../../../shared/unsigned.ts'
import { unsignedReleaseWarning } from '../../../shared/wording/artifacts.ts'
import { UsageError } from '../errors.ts'
import {
  addListCommand,
  addServerCommand,
  type CommandOptions,
  onServer,
  several,
  valid,
  validNumber,
} from '../options.ts'
import { print, printAnswer, report } from '../output.ts'
import { addPlanCommands } from '../plan/commands.ts'
import { sentArtifacts } from '../publish/publish-or-same.ts'
import { text as common } from '../strings/common.ts'
import { text as publishing } from '../strings/publish.ts'
import { text } from '../strings/release.ts'
import { addCheckCommand } from './release-check.ts'
import { readArtifact, readArtifactsFile, readTargetsFile, readText } from './release-files.ts'
import { addHealthCommand } from './release-health.ts'
import { addProveCommand } from './release-prove.ts'
import { printReleases } from './release-table.ts'

/** `release list`, `release check`, `release prove`, `release health`, and the former `release publish` and `release serving`. */
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

  addServerCommand(release, 'publish', publishing.description, ReleaseAnswer, 'publish')
    .argument('<app>', common.appArgument)
    .argument('<channel>', common.channelArgument)
    .argument('<version>', text.publish.version, valid(Version))
    .option('--notes <text>', text.publish.notes, valid(PublishBody.shape.notes))
    .option('--notes-file <file>', text.publish.notesFile)
    .option('--rollout <pct>', text.publish.rollout, validNumber(RolloutPct))
    .option('--targets-file <file>', text.publish.targetsFile)
    .option('--artifact <members>', publishing.artifact, several(readArtifact))
    .option('--artifacts-file <file>', publishing.artifactsFile)
    .action(publish)

  addServerCommand(release, 'serving', text.serving.description, ReleaseAnswer, 'ramp')
    .argument('<app>', common.appArgument)
    .argument('<channel>', common.channelArgument)
    .argument('<version>', common.versionArgument, valid(Version))
    .option('--rollout <pct>', text.serving.rollout, validNumber(RolloutPct))
    .option('--status <status>', text.serving.status(ReleaseStatus.options), valid(ReleaseStatus))
    .option('--targets-file <file>', publishing.targetsFile)
    .action(serving)
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
  const change = { app, channel, version, targets, rolloutPct, status }
  const release = await onServer(options, (server) => server.releases.changeServing.mutate(change))
  printAnswer(options, ReleaseAnswer, { release }, () => printReleases([release]))
}

interface PublishOptions extends CommandOptions {
  readonly notes?: string
  readonly notesFile?: string
  readonly rollout?: number
  readonly targetsFile?: string
  readonly artifact?: readonly Artifact[]
  readonly artifactsFile?: string
}

/** `release publish`. */
async function publish(
  app: string,
  channel: string,
  version: string,
  options: PublishOptions,
): Promise<void> {
  const input = {
    app,
    channel,
    version,
    notes: notesOf(options),
    rolloutPct: options.rollout ?? 100,
    targets:
      options.targetsFile === undefined ? EVERY_DEVICE : readTargetsFile(options.targetsFile),
    artifacts: sentArtifacts(artifactsOf(options)),
  }
  const release = await onServer(options, (server) => server.releases.publish.mutate(input))
  printAnswer(options, ReleaseAnswer, { release }, () => {
    printReleases([release])
    if (release.artifacts.length === 0) print(publishing.noArtifacts)
  })
  const warning = unsignedReleaseWarning(unsignedFiles(release.artifacts))
  if (warning !== null) report(common.warning(warning))
}

function notesOf({ notes, notesFile }: PublishOptions): string {
  if (notesFile === undefined) return notes ?? ''
  if (notes !== undefined) throw new UsageError(text.publish.notesTwice)
  const result = PublishBody.shape.notes.safeParse(readText('--notes-file', notesFile))
  if (result.success) return result.data
  throw new UsageError(
    text.file.problem('--notes-file', notesFile, issueOf(result.error, undefined).reason),
  )
}

function artifactsOf({ artifact = [], artifactsFile }: PublishOptions): Artifact[] {
  const artifacts = [
    ...artifact,
    ...(artifactsFile === undefined ? [] : readArtifactsFile(artifactsFile)),
  ]
  if (artifacts.length <= MAX_ARTIFACTS) return artifacts
  throw new UsageError(publishing.manyArtifacts(MAX_ARTIFACTS, artifacts.length))
}
