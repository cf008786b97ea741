import type { ArtifactDraft, ArtifactField } from '../../../shared/artifacts/artifact.ts'
import { MeasureInput } from '../../../shared/console/releases/releases.ts'
import { artifactKey } from '../../../shared/devices/aliases.ts'
import { Artifact } from '../../../shared/releases/release.ts'
import { sentence } from '../../components/text/sentence.ts'
import { targetInWords, text } from './strings.ts'

/** What is wrong with a row: a sentence for each field, and for the row as a whole. */
export type ArtifactIssues = Partial<Record<ArtifactField | 'row', string>>

type ArtifactRead =
  | { readonly ok: true; readonly artifact: Artifact }
  | { readonly ok: false; readonly issues: ArtifactIssues }

// Rows are never changed in place: what one reads as is found once, and is the same object each time.
const known = new WeakMap<ArtifactDraft, ArtifactRead>()

/** Reads a row by the schema of the API. */
export function readArtifact(draft: ArtifactDraft): ArtifactRead {
  const read = known.get(draft) ?? parseArtifact(draft)
  known.set(draft, read)
  return read
}

function parseArtifact(draft: ArtifactDraft): ArtifactRead {
  const size = draft.size.trim()
  const result = Artifact.safeParse({
    platform: draft.platform.trim(),
    arch: draft.arch.trim(),
    kind: draft.kind.trim(),
    url: draft.url.trim(),
    sha512: draft.sha512.trim(),
    // `Number` alone also reads `0x10` and `1e3`.
    size: size === '' ? 0 : /^\d+$/.test(size) ? Number(size) : Number.NaN,
    signature: draft.signature.trim(),
  })
  if (result.success) return { ok: true, artifact: result.data }
  const issues: ArtifactIssues = {}
  for (const { path, message } of result.error.issues) {
    const field = path[0]
    if (!isField(field) || issues[field] !== undefined) continue
    issues[field] = explain(field, draft[field].trim(), message)
  }
  return { ok: false, issues }
}

/** Returns the issues of all rows, by id: those of each row, and of a row that serves what another does. */
export function artifactIssues(drafts: readonly ArtifactDraft[]): Map<string, ArtifactIssues> {
  const twins = twinIssues(drafts)
  const issues = new Map<string, ArtifactIssues>()
  for (const draft of drafts) {
    const read = readArtifact(draft)
    const row = twins.get(draft.id)
    if (read.ok && row === undefined) continue
    const own = read.ok ? {} : read.issues
    issues.set(draft.id, row === undefined ? own : { ...own, row })
  }
  return issues
}

/**
 * Returns the rows that serve the same devices as an earlier one with the same kind of bundle, by id, with a sentence
 * that says so. Names such as `macos` and `darwin` mean one platform. Known as soon as platform and arch are filled in.
 */
export function twinIssues(drafts: readonly ArtifactDraft[]): Map<string, string> {
  const issues = new Map<string, string>()
  const seen = new Map<string, { number: number; target: string }>()
  drafts.forEach((draft, index) => {
    const [platform, arch, kind] = [draft.platform.trim(), draft.arch.trim(), draft.kind.trim()]
    if (platform === '' || arch === '') return
    const key = artifactKey(platform, arch, kind)
    const target = targetInWords({ platform, arch, kind })
    const twin = seen.get(key)
    if (twin === undefined) seen.set(key, { number: index + 1, target })
    else {
      issues.set(draft.id, text.twin(twin.number, twin.target, target))
    }
  })
  return issues
}

/** Returns what the server can download for the SHA-512 that a row does not have; undefined for other rows, or without an app. */
export function fileToMeasure(app: string, row: ArtifactDraft): MeasureInput | undefined {
  const { url, size, sha512, file } = row
  if (sha512 !== '' || file !== null) return undefined
  return MeasureInput.safeParse({ app, url, size: Number(size) }).data
}

const FIELDS: readonly string[] = ['platform', 'arch', 'kind', 'url', 'sha512', 'size', 'signature']

function isField(name: unknown): name is ArtifactField {
  return typeof name === 'string' && FIELDS.includes(name)
}

function explain(field: ArtifactField, value: string, message: string): string {
  if (value === '') return text.required
  return field === 'size' ? text.sizeIssue : sentence(message)
}
