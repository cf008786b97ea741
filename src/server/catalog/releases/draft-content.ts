import { isDeepStrictEqual } from 'node:util'
import { artifactKey } from '../../../shared/devices/aliases.ts'
import { type SignedDocument, SignedDocuments } from '../../../shared/files/signed-document.ts'
import { parsedBy } from '../../../shared/issue.ts'
import {
  type ExpectedArtifact,
  MAX_DRAFTS,
  MAX_OWN_DRAFTS,
} from '../../../shared/releases/draft.ts'
import type { Artifact } from '../../../shared/releases/release.ts'
import { invalid, Refusal } from '../errors.ts'
import type { DraftRecord } from '../records.ts'
import type { CatalogChannel } from '../snapshot.ts'
import type { CatalogReads } from '../store.ts'

/** All that is in a draft. */
export type DraftContent = Pick<DraftRecord, 'notes' | 'artifacts' | 'documents'>

/** Returns the expected artifacts that are not there. */
export function missingArtifacts(
  artifacts: readonly Artifact[],
  expected: readonly ExpectedArtifact[],
): ExpectedArtifact[] {
  const there = new Set(
    artifacts.flatMap(({ platform, arch, kind }) => [
      artifactKey(platform, arch, kind),
      `${artifactKey(platform, arch, '')}/*`,
    ]),
  )
  return expected.filter(({ platform, arch, kind }) => {
    const devices = artifactKey(platform, arch, '')
    return !there.has(kind === undefined ? `${devices}/*` : artifactKey(platform, arch, kind))
  })
}

/** Returns artifacts with others added. Each keeps its place; a later one for the same devices and kind takes it. */
export function mergeArtifacts(known: readonly Artifact[], added: readonly Artifact[]): Artifact[] {
  const merged = new Map<string, Artifact>()
  for (const artifact of [...known, ...added]) merged.set(keyOf(artifact), artifact)
  return [...merged.values()]
}

/** Returns documents with others added. Each keeps its place; a later one of the same name takes it. Throws `invalid`. */
export function mergeDocuments(
  known: readonly SignedDocument[] = [],
  added: readonly SignedDocument[] = [],
): SignedDocument[] {
  const merged = [...new Map([...known, ...added].map((each) => [each.name, each])).values()]
  parsedBy(SignedDocuments, merged, ({ reason }) => invalid({ path: ['documents'], reason }))
  return merged
}

/** Returns what tells an artifact from the others of a release. */
export function keyOf({ platform, arch, kind }: Artifact): string {
  return artifactKey(platform, arch, kind)
}

/** Returns whether two drafts have the same content. */
export function isSame(one: DraftContent, other: DraftContent): boolean {
  return (
    one.notes === other.notes &&
    isDeepStrictEqual(one.artifacts, other.artifacts) &&
    isDeepStrictEqual(one.documents ?? [], other.documents ?? [])
  )
}

/** Returns what the audit log names of a change: how many artifacts there are now, and which ones are new or other ones. */
export function inLog(
  before: DraftContent | undefined,
  { notes, artifacts, documents = [] }: DraftContent,
) {
  const known = new Map(before?.artifacts.map((artifact) => [keyOf(artifact), artifact]))
  const changed = artifacts.filter(
    (artifact) => !isDeepStrictEqual(known.get(keyOf(artifact)), artifact),
  )
  return {
    artifacts: artifacts.length,
    ...(changed.length === 0 ? {} : { files: changed.map(keyOf) }),
    ...(documents.length === 0 ? {} : { documents: documents.map(({ name }) => name) }),
    ...((before?.notes ?? '') === notes ? {} : { notes: true }),
  }
}

/** Throws `too_many_drafts`: half of those that an app can have are for others. */
export async function requireRoom(
  tx: CatalogReads,
  { key, ref }: CatalogChannel['app'],
  at: string,
  owner: string,
): Promise<void> {
  const { all, own } = await tx.countDrafts(key, at, owner)
  const refused = (maximum: number) =>
    new Refusal({ code: 'too_many_drafts', app: ref, maximum, isOwn: maximum === MAX_OWN_DRAFTS })
  if (all >= MAX_DRAFTS) throw refused(MAX_DRAFTS)
  if (own >= MAX_OWN_DRAFTS) throw refused(MAX_OWN_DRAFTS)
}
