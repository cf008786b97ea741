import { artifactKey } from '../../../shared/aliases.ts'
import { detailsOf } from '../../../shared/artifacts/details.ts'
import type { Artifact } from '../../../shared/release.ts'
import type { ChangeKind } from './change-kind.ts'

/** What of an artifact can differ for one platform, architecture and kind. */
const PARTS = ['url', 'size', 'sha512', 'signature', 'details'] as const
export type ArtifactPart = (typeof PARTS)[number]

/** One artifact in two releases. */
export interface ArtifactChange {
  /** Names platform, architecture and kind after aliases; unique. */
  readonly key: string
  readonly kind: ChangeKind
  readonly from: Artifact | undefined
  readonly to: Artifact | undefined
  /** Those that differ; of an added or removed artifact, those that are given. */
  readonly parts: readonly ArtifactPart[]
}

/** Compares the artifacts of two releases, in the order of platform, architecture and kind. */
export function artifactChanges(
  from: readonly Artifact[],
  to: readonly Artifact[],
): ArtifactChange[] {
  const [before, after] = [byKey(from), byKey(to)]
  return [...new Set([...before.keys(), ...after.keys()])]
    .sort()
    .map((key) => changeOf(key, before.get(key), after.get(key)))
}

function changeOf(
  key: string,
  from: Artifact | undefined,
  to: Artifact | undefined,
): ArtifactChange {
  const [one, other] = [partsOf(from), partsOf(to)]
  const parts = PARTS.filter((part) => one[part] !== other[part])
  if (from === undefined) return { key, kind: 'added', from, to, parts }
  if (to === undefined) return { key, kind: 'removed', from, to, parts }
  return { key, kind: parts.length === 0 ? 'same' : 'changed', from, to, parts }
}

function byKey(artifacts: readonly Artifact[]): ReadonlyMap<string, Artifact> {
  return new Map(
    artifacts.map((artifact) => {
      const { platform, arch, kind } = artifact
      return [artifactKey(platform, arch, kind), artifact]
    }),
  )
}

/** Returns the parts as they are compared: what is not given is empty. */
function partsOf(artifact: Artifact | undefined): Readonly<Record<ArtifactPart, string>> {
  if (artifact === undefined) return { url: '', size: '', sha512: '', signature: '', details: '' }
  const { url, size, sha512, signature } = artifact
  const details = detailsText(artifact)
  return { url, size: size === 0 ? '' : String(size), sha512: hexOf(sha512), signature, details }
}

/** Returns what a manifest says of a file as one text; empty if it says nothing. */
export function detailsText(artifact: Artifact): string {
  return Object.entries(detailsOf(artifact))
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
    .join(', ')
}

/** Returns a SHA-512 in lower-case hex: releases have it in hex or base64, as published. */
function hexOf(sha512: string): string {
  if (sha512.length === 128) return sha512.toLowerCase()
  return [...atob(sha512)].map((byte) => byte.charCodeAt(0).toString(16).padStart(2, '0')).join('')
}
