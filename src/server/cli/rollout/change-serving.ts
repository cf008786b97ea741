import { ReleaseAnswer, type ServingBody } from '../../../shared/release.ts'
import { StateConflict } from '../errors.ts'
import type { CommandOptions } from '../options.ts'
import { printJson } from '../output.ts'
import { printReleases } from '../release/release-table.ts'
import { text } from '../strings/rollout.ts'

/**
 * Changes how a release is served, and prints it as it is then. Throws `StateConflict` for a rollout or targets of a
 * release that was rolled back, also where they are what it had: a script must not take that for success.
 */
export async function changeServing(change: ServingBody, options: CommandOptions): Promise<void> {
  const { withServer } = await import('../server/connect.ts')
  const release = await withServer(options, (server) =>
    server.releases.changeServing.mutate(change),
  )
  if (release.status === 'rolled_back' && change.status === undefined) {
    throw new StateConflict(text.rolledBack(release.version))
  }
  if (options.json) printJson(ReleaseAnswer, { release })
  else printReleases([release])
}
