import type { PublishBody, Release } from '../../../shared/release.ts'
import { StateConflict } from '../errors.ts'
import type { CommandServer } from '../server/calls.ts'
import { isDuplicateRelease } from '../server/duplicate.ts'
import { text } from '../strings/publish.ts'
import { differencesOf } from './differences.ts'
import { sentArtifacts } from './sent-artifacts.ts'

export const IF_EXISTS = ['fail', 'same-ok'] as const
/** What to do if the version exists: fail, or succeed if it is the same. */
export type IfExists = (typeof IF_EXISTS)[number]

/** A release that is on the server now, and whether it was not before. */
export interface Published {
  readonly release: Release
  readonly created: boolean
}

/**
 * Publishes a release. With `same-ok`, one that exists with the same notes and files is left as it is, also where its
 * rollout, targets or status are others by now. Throws `StateConflict` that names what differs, or if it was rolled
 * back; with an API key, comparing needs the scope `read`.
 */
export async function publishOrSame(
  server: CommandServer,
  content: PublishBody,
  ifExists: IfExists,
): Promise<Published> {
  try {
    const body = { ...content, artifacts: sentArtifacts(content.artifacts) }
    return { release: await server.releases.publish.mutate(body), created: true }
  } catch (error) {
    if (ifExists === 'fail' || !isDuplicateRelease(error)) throw error
  }
  const { app, channel, version } = content
  const release = await server.commandLine.release.query({ app, channel, version })
  const place = `${release.app}/${release.channel}`
  const differences = differencesOf(release, content)
  if (differences.length > 0) {
    throw new StateConflict(text.differs(place, version, differences.map(text.difference)))
  }
  if (release.status === 'rolled_back') throw new StateConflict(text.wasRolledBack(place, version))
  return { release, created: false }
}
