import { VERSION_COLORS } from '../../../shared/console/fleet.ts'

/** A version that became a release of a channel. */
export interface Publication {
  readonly channel: string
  readonly version: string
  /** ISO 8601, UTC. */
  readonly at: string
}

/** Releases of a channel in a row that have different colors, whatever happens on up to two other channels. */
export const DISTINCT_IN_CHANNEL = 4

/** Releases of a channel that a new one is compared with: one fewer than there are colors. */
const COMPARED = VERSION_COLORS - 1

/**
 * Returns the color of each version, an index below `VERSION_COLORS`, from all publications of an app in any order.
 *
 * The latest releases of a channel differ: always `DISTINCT_IN_CHANNEL` in a row, and in general as many as there
 * are colors. A new release never changes the color of another version. A version that reaches a further channel
 * keeps its own, unless one of the latest releases there has it.
 */
export function versionColors(publications: readonly Publication[]): Map<string, number> {
  const colors = new Map<string, number>()
  const channels = new Map<string, string[]>()
  const usedAt = new Array<number>(VERSION_COLORS).fill(-1)
  for (const [time, { channel, version }] of inOrder(publications).entries()) {
    const before = channels.get(channel) ?? []
    channels.set(channel, [version, ...before].slice(0, COMPARED + 1))
    const known = colors.get(version)
    const near = before.slice(0, DISTINCT_IN_CHANNEL - 1).map((other) => colors.get(other))
    const color = known !== undefined && !near.includes(known) ? known : choose()
    colors.set(version, color)
    usedAt[color] = time

    /** The color that the releases around the version use least, and of those the one that rested longest. */
    function choose(): number {
      const cost = new Array<number>(VERSION_COLORS).fill(0)
      for (const latest of channels.values()) {
        const place = latest.indexOf(version)
        if (place === -1) continue
        for (const [index, other] of latest.entries()) {
          const used = colors.get(other)
          if (other === version || used === undefined) continue
          cost[used] = (cost[used] ?? 0) + costAt(Math.abs(index - place))
        }
      }
      return cost
        .map((sum, index) => ({ sum, index, rested: usedAt[index] ?? -1 }))
        .reduce((best, one) =>
          one.sum < best.sum || (one.sum === best.sum && one.rested < best.rested) ? one : best,
        ).index
    }
  }
  return colors
}

/** What it costs to share a color with a release that many places away. */
function costAt(distance: number): number {
  return distance < DISTINCT_IN_CHANNEL ? 1_000 : 1 / distance
}

function inOrder(publications: readonly Publication[]): Publication[] {
  return publications.toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
}
