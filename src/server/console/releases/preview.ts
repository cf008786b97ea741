import { on } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { PreviewEvent, ServingChangeInput } from '../../../shared/console/releases.ts'
import { issueMessage } from '../../../shared/issue.ts'
import { unknownRelease } from '../../catalog/catalog.ts'
import { Refusal } from '../../catalog/errors.ts'
import { servingAfter } from '../../catalog/serving.ts'
import type { CatalogChannel } from '../../catalog/snapshot.ts'
import type { ReleaseRecord } from '../../catalog/store.ts'
import type { ReleaseFacts } from '../../decision/channel.ts'
import { targetsIssue } from '../../decision/targets.ts'
import { workerUrl } from '../../worker-url.ts'
import type { ConsoleContext } from '../context.ts'
import { findActiveChannel } from '../lookup.ts'
import type { PreviewPlan } from './preview-plan.ts'

/** Milliseconds that a preview may take. A million devices take some seconds. */
const MAX_TIME = 120_000

/**
 * What a serving change would do to the devices that are known now: progress a few times a
 * second, then the result. Runs on a thread of its own, which ends when `signal` is aborted.
 * Throws what `changeServing` would refuse the change with.
 */
export async function* previewServing(
  ctx: ConsoleContext,
  input: ServingChangeInput,
  signal: AbortSignal | undefined,
): AsyncGenerator<PreviewEvent, void> {
  // What is scanned is committed.
  await ctx.fleet.settled()
  const channel = findActiveChannel(await ctx.catalog.refresh(), input)
  const changed = changedRelease(channel, input)
  const endTurn = await ctx.previews.turn()
  try {
    const timeout = AbortSignal.timeout(MAX_TIME)
    const ended = signal === undefined ? timeout : AbortSignal.any([signal, timeout])
    if (ended.aborted) return
    yield* run(planOf(ctx, channel, changed), ended)
    if (timeout.aborted) throw new Error('the preview took too long')
  } finally {
    endTurn()
  }
}

function changedRelease(channel: CatalogChannel, input: ServingChangeInput): ReleaseRecord {
  const { app: _app, channel: _channel, version, ...change } = input
  const issue = change.targets && targetsIssue(change.targets)
  if (issue !== undefined) {
    const path = ['targets', ...issue.path]
    throw new Refusal('invalid', issueMessage({ ...issue, path }))
  }
  const known = channel.compiled.releases.find(({ facts }) => facts.version === version)
  if (known === undefined) {
    throw unknownRelease(channel, version)
  }
  return { ...known.facts, ...servingAfter(known.facts, change) }
}

function planOf(
  { fleet }: ConsoleContext,
  { record, compiled }: CatalogChannel,
  changed: ReleaseRecord,
): PreviewPlan {
  const releases = compiled.releases.map(({ facts }) => withoutNotes(facts))
  const { policy, key } = record
  return {
    policy,
    releases,
    changed: withoutNotes(changed),
    scan: fleet.scan({ channelKey: key }),
  }
}

function withoutNotes(facts: ReleaseFacts): ReleaseFacts {
  return { ...facts, notes: '' }
}

async function* run(plan: PreviewPlan, signal: AbortSignal): AsyncGenerator<PreviewEvent, void> {
  const worker = new Worker(workerUrl('preview-worker', import.meta.url), {
    workerData: plan,
    resourceLimits: { maxOldGenerationSizeMb: 512 },
  })
  try {
    // An 'error' of the thread is thrown here.
    for await (const [event] of on(worker, 'message', { signal, close: ['exit'] })) {
      yield event
      if (event.type === 'result') return
    }
    throw new Error('the preview ended without a result')
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    await worker.terminate()
  }
}
