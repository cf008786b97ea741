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
