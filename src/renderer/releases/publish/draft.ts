import { type ArtifactDraft, newArtifact } from '../../../shared/artifacts/artifact.ts'
import { detailsOf, publishedDetails, withoutDetails } from '../../../shared/artifacts/details.ts'
import type { SignedDocument } from '../../../shared/files/signed-document.ts'
import type { PlanPreset } from '../../../shared/plans/plan-presets.ts'
import { DEFAULT_CHANNEL } from '../../../shared/releases/channel.ts'
import type { Draft } from '../../../shared/releases/draft.ts'
import {
  type Artifact,
  areNotesTooLong,
  MAX_ARTIFACTS,
  PublishBody,
  type Release,
} from '../../../shared/releases/release.ts'
import { readVersion } from '../../../shared/releases/version.ts'
import { refFromName } from '../../apps/create-app-dialog.tsx'
import { sentence } from '../../components/text/sentence.ts'
import { type ArtifactIssues, artifactIssues, readArtifact } from '../artifacts/draft.ts'
import { newRollout, type RolloutDraft, readRollout } from '../plans/choice/rollout-draft.ts'
import { NO_TARGETS, readTargets, type TargetsDraft } from '../targets/draft.ts'
import { text } from './strings.ts'

/** A release in the form. */
export interface PublishDraft {
  readonly app: string
  /** The name of an app that is created with the release, where there is none yet. */
  readonly newApp?: string
  readonly channel: string
  readonly version: string
  readonly notes: string
  readonly rollout: RolloutDraft
  readonly targets: TargetsDraft
  readonly artifacts: readonly ArtifactDraft[]
  readonly documents: readonly SignedDocument[]
  /** Address of the folder that holds the files. */
  readonly base: string
}

/** What is wrong with a draft: a sentence for each field. */
export interface PublishIssues {
  readonly place?: string
  readonly version?: string
  readonly notes?: string
  readonly artifacts: ReadonlyMap<string, ArtifactIssues>
  readonly artifactCount?: string
  /** True where a condition of the targets is not complete. */
  readonly targets: boolean
  /** True where a field of the plan is wrong. */
  readonly plan: boolean
}

export type PublishRead =
  | { readonly ok: true; readonly body: PublishBody }
  | { readonly ok: false; readonly issues: PublishIssues }

export function emptyDraft(app: string, channel: string): PublishDraft {
  return {
    app,
    channel,
    version: '',
    notes: '',
    rollout: newRollout(),
    targets: NO_TARGETS,
    artifacts: [],
    documents: [],
    base: '',
  }
}

/** Returns the first release of a server, whose app is named after the files. */
export function firstDraft(): PublishDraft {
  return { ...emptyDraft('', DEFAULT_CHANNEL), newApp: '' }
}

/** Returns the app that is created with a release, by its name. */
export function namedApp(name: string): Pick<PublishDraft, 'app' | 'newApp'> {
  return { app: refFromName(name), newApp: name }
}

/** Returns the app that a release is of; empty for one that is created with it. */
export function appOf({ app, newApp }: PublishDraft): string {
  return newApp === undefined ? app : ''
}

/** Returns a draft that is rolled out as recommended, unless somebody chose. */
export function withRecommended(draft: PublishDraft, mode: PlanPreset): PublishDraft {
  const { rollout } = draft
  return rollout.isChosen ? draft : { ...draft, rollout: { ...rollout, mode } }
}

/** Returns whether anything would be lost with the draft. */
export function hasInput({ version, notes, artifacts, targets }: PublishDraft): boolean {
  const conditions = targets.labels.length + targets.expressions.length
  return version !== '' || notes !== '' || artifacts.length > 0 || conditions > 0
}

/** Returns whether a form says something else than the stored draft that it was opened with. */
export function isEdited(form: PublishDraft, initial: PublishDraft): boolean {
  return (
    form.notes !== initial.notes ||
    form.artifacts !== initial.artifacts ||
    form.documents !== initial.documents
  )
}

/** Reads a draft as the body of a publish call, or finds everything that is wrong with it. */
export function readPublish(draft: PublishDraft): PublishRead {
  const { app, newApp, channel, version, notes } = draft
  const rollout = readRollout(draft.rollout)
  const targets = readTargets(draft.targets)
  const artifacts = draft.artifacts.flatMap((row) => {
    const read = readArtifact(row)
    return read.ok ? [{ ...read.artifact, ...publishedDetails(row, notes) }] : []
  })
  const result = PublishBody.safeParse({
    app,
    channel,
    version: version.trim(),
    notes,
    artifacts,
    ...(draft.documents.length === 0 ? {} : { documents: draft.documents }),
    ...(rollout.ok ? rollout.rollout : {}),
    ...(targets.ok ? { targets: targets.targets } : {}),
  })
  const rows = artifactIssues(draft.artifacts)
  const isRead = targets.ok && rollout.ok && rows.size === 0
  if (result.success && isRead) return { ok: true, body: result.data }
  const versionIssue = versionIssueOf(version.trim())
  return {
    ok: false,
    issues: {
      ...(app === '' || channel === ''
        ? { place: newApp === undefined ? text.placeMissing : text.newAppMissing }
        : {}),
      ...(versionIssue === '' ? {} : { version: versionIssue }),
      ...(areNotesTooLong(notes) ? { notes: text.notesTooLong } : {}),
      ...(draft.artifacts.length > MAX_ARTIFACTS
        ? { artifactCount: text.tooManyArtifacts(MAX_ARTIFACTS) }
        : {}),
      artifacts: rows,
      targets: !targets.ok,
      plan: !rollout.ok,
    },
  }
}

function versionIssueOf(version: string): string {
  if (version === '') return text.required
  const read = readVersion(version)
  return read.ok ? '' : sentence(read.reason)
}

/**
 * Returns a draft that publishes a release on another channel of its app: the same version, notes and files. How
 * far it is rolled out, and to which devices, is decided anew.
 */
export function copyDraft(release: Release, channel: string): PublishDraft {
  const { app, ...content } = release
  return draftInForm({ ...content, app, channel })
}

/** Returns a stored draft in the form. */
export function draftInForm({
  app,
  channel,
  version,
  notes,
  artifacts,
  documents = [],
}: Pick<Draft, 'app' | 'channel' | 'version' | 'notes' | 'artifacts' | 'documents'>): PublishDraft {
  return { ...emptyDraft(app, channel), version, notes, artifacts: rowsOf(artifacts), documents }
}

function rowsOf(artifacts: readonly Artifact[]): ArtifactDraft[] {
  return artifacts.map(({ size, ...artifact }) =>
    newArtifact({
      ...withoutDetails(artifact),
      ...{ size: size === 0 ? '' : String(size), details: detailsOf(artifact) },
    }),
  )
}
