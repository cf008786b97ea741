import type { DraftPlace, ExpectedArtifact, PublishDraftBody } from '../../../shared/draft.ts'
import { EVERY_DEVICE } from '../../../shared/targets.ts'
import { missingArtifacts } from '../../catalog/releases/draft-content.ts'
import { PublishedDocument } from '../documents/documents.ts'
import { StateConflict } from '../errors.ts'
import type { CommandOptions } from '../options.ts'
import { print, printJson } from '../output.ts'
import { type PlanOptions, planOf } from '../plan/plan-options.ts'
import type { IfExists, Published } from '../publish/publish-or-same.ts'
import { type TargetOptions, targetsOf } from '../publish/target-options.ts'
import { printReleases } from '../release/release-table.ts'
import type { CommandServer } from '../server/calls.ts'
import { withServer } from '../server/connect.ts'
import { isDuplicateRelease } from '../server/duplicate.ts'
import { text } from '../strings/draft.ts'
import { text as publishText } from '../strings/publish.ts'

export interface PublishOptions extends CommandOptions, TargetOptions, PlanOptions {
  readonly expect?: readonly ExpectedArtifact[]
  readonly rollout?: number
  readonly ifExists?: IfExists
}

/** `draft publish`. */
export async function publish(place: DraftPlace, options: PublishOptions): Promise<void> {
  const { rollout: rolloutPct = 100, expect = [], ifExists = 'fail' } = options
  const targets = targetsOf(options) ?? EVERY_DEVICE
  const plan = planOf(options)
  const body = { ...place, rolloutPct, targets, plan, expect: [...expect] }
  const published = await withServer(options, (server) => publishOnce(server, body, ifExists))
  if (options.json) {
    printJson(PublishedDocument, published)
    return
  }
  printReleases([published.release])
  if (published.release.artifacts.length === 0) print(publishText.noArtifacts)
  if (!published.created) print(text.alreadyPublished(place.version))
  else if (published.release.status === 'paused') print(publishText.awaitsProof(place.version))
}

/**
 * Publishes a draft. With `same-ok`, a version that exists and has the expected artifacts is left as it is: an earlier
 * run has published it. Throws `StateConflict` if it lacks one, or was rolled back; with an API key, looking at it
 * needs the scope `read`.
 */
async function publishOnce(
  server: CommandServer,
  body: PublishDraftBody,
  ifExists: IfExists,
): Promise<Published> {
  try {
    return { release: await server.drafts.publish.mutate(body), created: true }
  } catch (error) {
    if (ifExists === 'fail' || !isDuplicateRelease(error)) throw error
  }
  const { app, channel, version, expect } = body
  const release = await server.commandLine.release.query({ app, channel, version })
  const place = `${release.app}/${release.channel}`
  const missing = missingArtifacts(release.artifacts, expect)
  if (missing.length > 0) throw new StateConflict(text.lacks(place, version, missing))
  if (release.status === 'rolled_back') {
    throw new StateConflict(publishText.wasRolledBack(place, version))
  }
  return { release, created: false }
}
