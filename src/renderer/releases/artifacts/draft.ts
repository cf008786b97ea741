import { artifactKey } from '../../../shared/aliases.ts'
import { Artifact } from '../../../shared/release.ts'
import { sentence } from '../strings.ts'

/** An artifact while it is written: every field as its text. */
export interface ArtifactDraft {
  /** Tells the rows of the form apart; nothing else reads it. */
  readonly id: string
  readonly platform: string
  readonly arch: string
  readonly url: string
  readonly sha512: string
  /** Bytes; empty where not given. */
  readonly size: string
  readonly signature: string
  /** Address from the base address on, percent-encoded; empty where `url` stands alone. */
  readonly relative: string
  /** Where the row came from, such as `from Editor.dmg; arch is a guess`; empty where typed. */
  readonly origin: string
}

export type ArtifactField = Exclude<keyof ArtifactDraft, 'id' | 'origin' | 'relative'>

/** What is wrong with a row: a sentence for each field, and for the row as a whole. */
export type ArtifactIssues = Partial<Record<ArtifactField | 'row', string>>

/** A row with an id of its own; what is not given is empty. */
export function newArtifact(parts: Partial<Omit<ArtifactDraft, 'id'>> = {}): ArtifactDraft {
  return {
    id: crypto.randomUUID(),
    platform: '',
    arch: '',
    url: '',
    sha512: '',
    size: '',
    signature: '',
    relative: '',
    origin: '',
    ...parts,
  }
}

/** Reads a row by the schema of the API. */
export function readArtifact(
  draft: ArtifactDraft,
): { ok: true; artifact: Artifact } | { ok: false; issues: ArtifactIssues } {
  const size = draft.size.trim()
  const result = Artifact.safeParse({
    platform: draft.platform.trim(),
    arch: draft.arch.trim(),
    url: draft.url.trim(),
    sha512: draft.sha512.trim(),
    size: size === '' ? 0 : Number(size),
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

/** Required fields of a row that are still empty, in the order of the form. */
export function missingFields({ platform, arch, url, sha512 }: ArtifactDraft): string[] {
  return Object.entries({ platform, arch, address: url, 'SHA-512': sha512 })
    .filter(([, text]) => text.trim() === '')
    .map(([name]) => name)
}

/** Issues of all rows, by id: those of each row, and those of a row that serves what another does. */
export function artifactIssues(drafts: readonly ArtifactDraft[]): Map<string, ArtifactIssues> {
  const twins = twinIssues(drafts)
  const issues = new Map<string, ArtifactIssues>()
  for (const draft of drafts) {
    const read = readArtifact(draft)
    const row = twins.get(draft.id)
    if (read.ok && row === undefined) continue
    issues.set(draft.id, { ...(read.ok ? {} : read.issues), ...(row === undefined ? {} : { row }) })
  }
  return issues
}

/**
 * Rows that serve the same devices as an earlier one, by id, with a sentence that says so. Names
 * such as `macos` and `darwin` mean one platform. Known as soon as platform and arch are there.
 */
export function twinIssues(drafts: readonly ArtifactDraft[]): Map<string, string> {
  const issues = new Map<string, string>()
  const seen = new Map<string, { number: number; target: string }>()
  drafts.forEach(({ id, platform: os, arch: cpu }, index) => {
    const [platform, arch] = [os.trim(), cpu.trim()]
    if (platform === '' || arch === '') return
    const key = artifactKey(platform, arch)
    const target = `${platform} ${arch}`
    const twin = seen.get(key)
    if (twin === undefined) seen.set(key, { number: index + 1, target })
    else {
      const same = twin.target === target ? '' : ` ${target} and ${twin.target} are the same.`
      issues.set(id, `Artifact ${twin.number} serves these devices already.${same} Keep one.`)
    }
  })
  return issues
}

const FIELDS: readonly string[] = ['platform', 'arch', 'url', 'sha512', 'size', 'signature']

function isField(name: unknown): name is ArtifactField {
  return typeof name === 'string' && FIELDS.includes(name)
}

function explain(field: ArtifactField, text: string, message: string): string {
  if (text === '') return 'Is required.'
  return field === 'size' ? 'Must be a whole number of bytes.' : sentence(message)
}
