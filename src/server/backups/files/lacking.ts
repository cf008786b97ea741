import type { LostReleases, NamedFile } from '../../storage/interface/backups.ts'

/** Releases listed by name; the others are only counted. */
const MOST_NAMED = 100

/** Returns the releases that name a file which is not there. */
export function lackingReleases(
  named: readonly NamedFile[],
  isThere: (sha512: string) => boolean,
): LostReleases {
  const lacking = new Map(
    named
      .filter(({ sha512 }) => !isThere(sha512))
      .map(({ release }) => [`${release.app} ${release.channel} ${release.version}`, release]),
  )
  return { count: lacking.size, newest: [...lacking.values()].slice(0, MOST_NAMED) }
}
