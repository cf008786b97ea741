import type { CatalogChannel, ServedRelease } from '../snapshot.ts'

/**
 * Returns the releases that devices can be offered, highest version first, of releases in ascending order.
 * Ends at the first release for all devices, because no lower one is offered; a release without artifacts
 * is offered to none.
 */
export function liveReleases(published: readonly ServedRelease[]): ServedRelease[] {
  const offered = published.filter(({ facts }) => facts.artifacts.length > 0).reverse()
  const forAll = offered.findIndex(
    ({ facts, targets }) => facts.rolloutPct === 100 && targets === null,
  )
  return forAll === -1 ? offered : offered.slice(0, forAll + 1)
}

/** Returns the releases of a channel whose artifacts matter to devices: live, or paused until they are proven. */
export function releasesToProve({ compiled }: CatalogChannel): ServedRelease[] {
  const { releases, published } = compiled
  return [...liveReleases(published), ...releases.filter(({ facts }) => facts.awaitsProof)]
}
