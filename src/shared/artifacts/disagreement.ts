import { artifactKey } from '../devices/aliases.ts'
import type { ArtifactDraft } from './artifact.ts'
import { fileNameOfRow } from './rows.ts'
import { sha512InHex } from './sha512.ts'

/** Two manifests that name one file with different checksums. */
export interface Disagreement {
  readonly file: string
  readonly first: string
  readonly second: string
}

/** A manifest by the name that people know it by, and its rows. */
export interface NamedManifest {
  readonly name: string
  readonly artifacts: readonly ArtifactDraft[]
}

/**
 * Returns the first file of `added` that one of the `earlier` manifests, or `added` itself, has with another SHA-512: at the
 * same address, or under the same name for the same devices. Undefined if there is none.
 */
export function disagreementWith(
  earlier: readonly NamedManifest[],
  added: NamedManifest,
): Disagreement | undefined {
  for (const row of added.artifacts) {
    for (const { name, artifacts } of [...earlier, added]) {
      const other = artifacts.find((each) => isSameFile(each, row) && isOther(each, row))
      if (other !== undefined) return { file: fileNameOfRow(row), first: name, second: added.name }
    }
  }
  return undefined
}

function isSameFile(one: ArtifactDraft, other: ArtifactDraft): boolean {
  const address = (row: ArtifactDraft) => row.url || row.relative
  if (address(one) === address(other)) return address(one) !== ''
  const target = ({ platform, arch, kind }: ArtifactDraft) => artifactKey(platform, arch, kind)
  return fileNameOfRow(one) === fileNameOfRow(other) && target(one) === target(other)
}

function isOther(one: ArtifactDraft, other: ArtifactDraft): boolean {
  const [first, second] = [sha512InHex(one.sha512), sha512InHex(other.sha512)]
  return first !== '' && second !== '' && first !== second
}
