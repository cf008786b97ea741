import { type ReleaseFailure, releasesOf } from './story.ts'
import { APPS } from './studio.ts'

const FAILURES = new Map(
  APPS.flatMap((app) =>
    releasesOf(app).flatMap(({ version, failure }) =>
      failure === undefined ? [] : [[`${app.ref} ${version}`, failure] as const],
    ),
  ),
)

/** Returns what goes wrong with a release on some devices; undefined for nothing. */
export function failureOf(app: string, version: string): ReleaseFailure | undefined {
  return FAILURES.get(`${app} ${version}`)
}
