import { issueOf } from '../../../shared/issue.ts'
import {
  type Artifact,
  MAX_ARTIFACTS,
  PublishBody,
  ReleaseAnswer,
} from '../../../shared/release.ts'
import { EVERY_DEVICE } from '../../../shared/targets.ts'
import { unsignedFiles } from '../../../shared/unsigned.ts'
import { unsignedReleaseWarning } from '../../../shared/wording/unsigned.ts'
import { UsageError } from '../errors.ts'
import type { CommandOptions } from '../options.ts'
import { print, printJson, report } from '../output.ts'
import { sentArtifacts } from '../publish/sent-artifacts.ts'
import { text as common } from '../strings/common.ts'
import { text } from '../strings/release.ts'
import { readArtifactsFile, readTargetsFile, readText } from './release-files.ts'
import { printReleases } from './release-table.ts'

export interface PublishOptions extends CommandOptions {
  readonly notes?: string
  readonly notesFile?: string
  readonly rollout?: number
  readonly targetsFile?: string
  readonly artifact?: readonly Artifact[]
  readonly artifactsFile?: string
}

/** `release publish`. */
export async function publish(
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
  const { withServer } = await import('../server/connect.ts')
  const release = await withServer(options, (server) => server.releases.publish.mutate(input))
  if (options.json) printJson(ReleaseAnswer, { release })
  else {
    printReleases([release])
    if (release.artifacts.length === 0) print(text.publish.noArtifacts)
  }
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
  throw new UsageError(text.publish.manyArtifacts(MAX_ARTIFACTS, artifacts.length))
}
