import { detailsOf } from '../../../shared/artifacts/details.ts'
import { sha512InHex } from '../../../shared/artifacts/sha512.ts'
import { artifactKey } from '../../../shared/devices/aliases.ts'
import type { Artifact } from '../../../shared/releases/release.ts'
import type { MatchExpression, Targets } from '../../../shared/releases/targets.ts'

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
  return {
    url,
    size: size === 0 ? '' : String(size),
    sha512: sha512InHex(sha512),
    signature,
    details,
  }
}

/** Returns what a manifest says of a file as one text; empty if it says nothing. */
export function detailsText(artifact: Artifact): string {
  return Object.entries(detailsOf(artifact))
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
    .join(', ')
}

/** How a part of one release differs in the other. */
export type ChangeKind = 'added' | 'removed' | 'changed' | 'same'

/** Counts what changed by kind; kinds without any are left out. */
export function countKinds(
  changes: readonly { readonly kind: ChangeKind }[],
): [Exclude<ChangeKind, 'same'>, number][] {
  return (['added', 'removed', 'changed'] as const)
    .map((kind): [Exclude<ChangeKind, 'same'>, number] => [
      kind,
      changes.filter((change) => change.kind === kind).length,
    ])
    .filter(([, count]) => count > 0)
}

/** One condition in the targets of two releases. */
interface ConditionChange {
  readonly kind: ChangeKind
  readonly from: MatchExpression | undefined
  readonly to: MatchExpression | undefined
}

/**
 * Compares the conditions of two releases as sets: their order, and that of their values, does not matter. A condition
 * counts as changed where its key and operator are in both, with other values.
 */
export function targetChanges(from: Targets, to: Targets): ConditionChange[] {
  const [before, after] = [conditionsOf(from), conditionsOf(to)]
  const same: ConditionChange[] = []
  for (const [text, condition] of before) {
    const twin = after.get(text)
    if (twin === undefined) continue
    same.push({ kind: 'same', from: condition, to: twin })
    before.delete(text)
    after.delete(text)
  }
  const added = [...after.values()]
  const rest = [...before.values()].map((condition): ConditionChange => {
    const index = added.findIndex((other) => isAlike(condition, other))
    const [other] = index === -1 ? [] : added.splice(index, 1)
    return { kind: other === undefined ? 'removed' : 'changed', from: condition, to: other }
  })
  return [
    ...rest,
    ...added.map((to): ConditionChange => ({ kind: 'added', from: undefined, to })),
    ...same,
  ]
}

/** Returns conditions by their meaning. A label match is `In` by another name. */
function conditionsOf({ matchLabels, matchExpressions }: Targets): Map<string, MatchExpression> {
  const labels = Object.entries(matchLabels).map(
    ([key, values]): MatchExpression => ({ key, operator: 'In', values: [values].flat() }),
  )
  return new Map(
    [...labels, ...matchExpressions].map((condition) => {
      const { key, operator, values = [] } = condition
      return [JSON.stringify([key, operator, [...new Set(values)].sort()]), condition]
    }),
  )
}

function isAlike(one: MatchExpression, other: MatchExpression): boolean {
  return one.key === other.key && one.operator === other.operator
}
