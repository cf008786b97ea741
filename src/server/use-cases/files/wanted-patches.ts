import { sha512InHex } from '../../../shared/artifacts/sha512.ts'
import { keyOf } from '../../catalog/releases/draft-content.ts'
import type { CatalogApp, ServedRelease, Snapshot } from '../../catalog/snapshot.ts'
import type { FileStore } from '../../hosting/file-store.ts'
import type { WantedPatch } from '../../hosting/patches/patches.ts'

/** Releases of a channel that devices update to: the latest, and the one that the others get while that is rolled out. */
const TARGETS = 2
/** Releases below each of those from which devices come, if they were ever offered. */
const BASES = 3

/** Returns the pairs of stored files that devices update between, of the nearest and latest offered releases first. */
export function wantedPatches({ apps }: Snapshot, files: Pick<FileStore, 'find'>): WantedPatch[] {
  const found = apps.flatMap((app) => (app.record.archivedAt === null ? updatesIn(app) : []))
  const byWorth = found.toSorted(
    (a, b) => a.distance - b.distance || b.to.facts.createdAt.localeCompare(a.to.facts.createdAt),
  )
  return byWorth.flatMap(({ from, to, app }) => {
    const bases = new Map(from.facts.artifacts.map((each) => [keyOf(each), each]))
    return to.facts.artifacts.flatMap((each) => {
      const old = bases.get(keyOf(each))
      const base = old && files.find(sha512InHex(old.sha512))
      const next = files.find(sha512InHex(each.sha512))
      return base && next ? [{ base, next, app }] : []
    })
  })
}

/** Returns the releases from which patches are made, of those below one, lowest first. */
export function basesAmong<T extends { readonly facts: { readonly offered: boolean } }>(
  below: readonly T[],
): T[] {
  return below.filter(({ facts }) => facts.offered).slice(-BASES)
}

interface UpdateBetween {
  readonly from: ServedRelease
  readonly to: ServedRelease
  /** How many offered releases `from` is below `to`. */
  readonly distance: number
  readonly app: number
}

function updatesIn({ record, channels }: CatalogApp): UpdateBetween[] {
  return [...channels.values()].flatMap(({ compiled }) => {
    const served = compiled.published.filter(({ facts }) => facts.rolloutPct > 0)
    return served.slice(-TARGETS).flatMap((to) => {
      const below = compiled.releases.slice(0, compiled.releases.indexOf(to))
      const bases = basesAmong(below)
      return bases.map((from, at) => ({ from, to, distance: bases.length - at, app: record.key }))
    })
  })
}
