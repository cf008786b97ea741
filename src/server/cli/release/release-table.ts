import type { Release } from '../../../shared/releases/release.ts'
import { preflightInShort } from '../../../shared/wording/preflight.ts'
import { printTable, report } from '../command/output.ts'
import { text as common } from '../strings/common.ts'
import { text } from '../strings/release.ts'

const words = text.list

/** Writes a line per release to stdout, and to stderr what preflight found against it. */
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
  for (const release of releases) warnOfPreflight(release)
}

/** Writes what preflight found against a change of a release to stderr. */
export function warnOfPreflight({
  version,
  preflight,
}: Pick<Release, 'version' | 'preflight'>): void {
  if (preflight === undefined) return
  report(common.warning(preflightInShort('warns', { version, ...preflight })))
}
