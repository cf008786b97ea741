import { EVERY_DEVICE } from '../../../shared/targets.ts'
import { PublishedDocument } from '../documents/documents.ts'
import { StateConflict, UsageError } from '../errors.ts'
import type { CommandOptions } from '../options.ts'
import { print, printJson } from '../output.ts'
import { type PlanOptions, planOf } from '../plan/plan-options.ts'
import { type IfExists, publishOrSame } from '../publish/publish-or-same.ts'
import { type TargetOptions, targetsOf } from '../publish/target-options.ts'
import { printReleases } from '../release/release-table.ts'
import { text as publishing } from '../strings/publish.ts'
import { text } from '../strings/rollout.ts'

interface PromoteOptions extends CommandOptions, TargetOptions, PlanOptions {
  readonly to: string
  readonly rollout?: number
  readonly ifExists?: IfExists
}

/**
 * `promote`: publishes the version, notes and artifacts of a release on another channel. Rollout and targets start with
 * their defaults, as when a release is copied in the console. A release that is paused or rolled back is not promoted.
 */
export async function promote(
  app: string,
  channel: string,
  version: string,
  options: PromoteOptions,
): Promise<void> {
  const { to, rollout: rolloutPct = 100, ifExists = 'fail' } = options
  if (to === channel) throw new UsageError(text.promote.sameChannel)
  const targets = targetsOf(options) ?? EVERY_DEVICE
  const plan = planOf(options)
  const { withServer } = await import('../server/connect.ts')
  const promoted = await withServer(options, async (server) => {
    const { notes, artifacts, documents, status } = await server.commandLine.release.query({
      ...{ app, channel, version },
    })
    if (status !== 'published')
      throw new StateConflict(text.promote.notServed(version, channel, status))
    const content = {
      app,
      channel: to,
      version,
      notes,
      artifacts,
      documents,
      rolloutPct,
      targets,
      plan,
    }
    return await publishOrSame(server, content, ifExists)
  })
  if (options.json) printJson(PublishedDocument, promoted)
  else {
    printReleases([promoted.release])
    if (!promoted.created) print(publishing.sameExists(version))
  }
}
