import type { Release } from '../../../shared/releases/release.ts'
import { printTable } from '../command/output.ts'
import { text } from '../strings/release.ts'

const words = text.list

/** Writes a line per release to stdout. */
export function printReleases(releases: readonly Release[]): void {
  printTable(
    words.headings,
    releases.map((release) => [
      release.app,
      release.channel,
      release.version,
      release.status,
      words.rollout(release.rolloutPct),
      release.offered ? words.offered : words.notOffered,
      release.artifacts.length,
      release.createdAt,
    ]),
    words.empty,
  )
}
