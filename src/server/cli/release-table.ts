import type { Release } from '../../shared/release.ts'
import { formatPercent } from '../../shared/wording/format.ts'
import { printTable } from './output.ts'

/** Writes a line per release to stdout. */
export function printReleases(releases: readonly Release[]): void {
  printTable(
    ['APP', 'CHANNEL', 'VERSION', 'STATUS', 'ROLLOUT', 'OFFERED', 'ARTIFACTS', 'CREATED'],
    releases.map((release) => [
      release.app,
      release.channel,
      release.version,
      release.status,
      formatPercent(release.rolloutPct),
      release.offered ? 'yes' : 'no',
      release.artifacts.length,
      release.createdAt,
    ]),
    'There are no releases here yet. Publish one with "release publish".',
  )
}
