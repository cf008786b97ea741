import { isDeepStrictEqual } from 'node:util'
import { detailsOf } from '../../../shared/artifacts/details.ts'
import { sha512InHex } from '../../../shared/artifacts/sha512.ts'
import { artifactKey } from '../../../shared/devices/aliases.ts'
import { isSigned } from '../../../shared/files/signed-document.ts'
import type { Artifact, Release } from '../../../shared/releases/release.ts'

/** What a release has otherwise than one that was to be published. */
export type Difference =
  | { readonly code: 'notes' | 'documents' }
  /** Only one of the two has an artifact for these devices. */
  | { readonly code: 'missing' | 'additional'; readonly target: string }
  | {
      readonly code: 'artifact'
      readonly target: string
      readonly members: readonly (typeof MEMBERS)[number][]
    }

type Content = Pick<Release, 'notes' | 'artifacts' | 'documents'>

/** Returns how an existing release differs from a wanted one, apart from spelling, order, line endings and unknown sizes. */
export function differencesOf(existing: Content, wanted: Content): Difference[] {
  const differences: Difference[] = []
  if (plain(existing.notes) !== plain(wanted.notes)) differences.push({ code: 'notes' })
  if (!isDeepStrictEqual(contentsOf(existing), contentsOf(wanted))) {
    differences.push({ code: 'documents' })
  }
  const [there, here] = [byTarget(existing.artifacts), byTarget(wanted.artifacts)]
  for (const [target, artifact] of here) {
    const other = there.get(target)
    if (other === undefined) differences.push({ code: 'missing', target })
    else {
      const members = MEMBERS.filter((member) => !isSame(member, artifact, other))
      if (members.length > 0) differences.push({ code: 'artifact', target, members })
    }
  }
  for (const target of there.keys()) {
    if (!here.has(target)) differences.push({ code: 'additional', target })
  }
  return differences
}

/** The signed documents by their names. What a list of packages says of the release, its artifacts say as well. */
function contentsOf({ documents = [] }: Content) {
  return new Map(documents.filter(isSigned).map(({ name, content }) => [name, content]))
}

const MEMBERS = ['url', 'sha512', 'size', 'signature', 'details'] as const

function isSame(member: (typeof MEMBERS)[number], one: Artifact, other: Artifact): boolean {
  if (member === 'sha512') return sha512InHex(one.sha512) === sha512InHex(other.sha512)
  if (member === 'size' && (one.size === 0 || other.size === 0)) return true
  if (member === 'details') return isDeepStrictEqual(detailsOf(one), detailsOf(other))
  return one[member] === other[member]
}

function byTarget(artifacts: readonly Artifact[]): Map<string, Artifact> {
  return new Map(artifacts.map((each) => [artifactKey(each.platform, each.arch, each.kind), each]))
}

function plain(notes: string): string {
  return notes.replaceAll('\r\n', '\n').trim()
}
