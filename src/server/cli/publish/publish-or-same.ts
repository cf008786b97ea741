import type { Artifact, PublishBody, Release } from '../../../shared/releases/release.ts'
import { StateConflict } from '../command/errors.ts'
import type { CommandServer } from '../server/calls.ts'
import { isDuplicateRelease } from '../server/remote-errors.ts'
import { text } from '../strings/publish.ts'
import { differencesOf } from './differences.ts'

export const IF_EXISTS = ['fail', 'same-ok'] as const
/** What to do if the version exists: fail, or succeed if it is the same. */
export type IfExists = (typeof IF_EXISTS)[number]

/** A release that is on the server now, and whether it was not before. */
export interface Published {
  readonly release: Release
  readonly created: boolean
}

type Place = Pick<Release, 'app' | 'channel' | 'version'>

/**
 * Does `work`, which publishes a version or adds to its draft. With `same-ok`, a version that exists is left as it is, unless
 * `problemOf` names what is wrong with it; with an API key, looking at it needs the scope `read`. Throws `StateConflict`.
 */
export async function orExisting<Result>(
  server: CommandServer,
  { app, channel, version }: Place,
  ifExists: IfExists,
  work: () => Promise<Result>,
  problemOf: (release: Release, place: string) => string | undefined,
): Promise<Result | Published> {
  try {
    return await work()
  } catch (error) {
    if (ifExists === 'fail' || !isDuplicateRelease(error)) throw error
  }
  const release = await server.commandLine.release.query({ app, channel, version })
  const problem = problemOf(release, `${release.app}/${release.channel}`)
  if (problem !== undefined) throw new StateConflict(problem)
  return { release, created: false }
}

/** Returns what is wrong with a release that was rolled back; undefined for any other. */
export function rolledBackProblem({ status, version }: Release, place: string): string | undefined {
  return status === 'rolled_back' ? text.wasRolledBack(place, version) : undefined
}

/**
 * Publishes a release. With `same-ok`, one that exists with the same notes and files is left as it is, also where its
 * rollout, targets or status are others by now. Throws `StateConflict` that names what differs, or if it was rolled
 * back.
 */
export async function publishOrSame(
  server: CommandServer,
  content: PublishBody,
  ifExists: IfExists,
): Promise<Published> {
  const body = { ...content, artifacts: sentArtifacts(content.artifacts) }
  const publish = async () => ({
    release: await server.releases.publish.mutate(body),
    created: true,
  })
  return await orExisting(server, content, ifExists, publish, (release, place) => {
    const words = differencesOf(release, content).map(text.difference)
    if (words.length > 0) return text.differs(place, content.version, words)
    return rolledBackProblem(release, place)
  })
}

/** Returns artifacts as they are sent: without an empty kind, which servers before bundle kinds refuse. */
function sentArtifacts(artifacts: readonly Artifact[]) {
  return artifacts.map(({ kind, ...rest }) => (kind === '' ? rest : { ...rest, kind }))
}
