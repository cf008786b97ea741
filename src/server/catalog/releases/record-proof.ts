import { SERVER } from '../audit-log.ts'
import type { Catalog } from '../catalog.ts'
import { Refusal } from '../errors.ts'
import type { CatalogChannel } from '../snapshot.ts'
import type { CatalogReads, TransactOptions } from '../store.ts'
import { storedActiveApp, storedChannel } from '../stored.ts'
import { isProven, type ProofOutcome, recordProofIn } from './proofs.ts'
import { changeServingIn } from './serving.ts'

/**
 * Records what the proof of an artifact found. A release that waits for its proof is resumed, in the same
 * transaction, once all its artifacts are proven: by the rules of any serving change, and not if anybody has decided
 * on its status in the meantime. Publishing it was approved where the channel requires that, and every change since
 * then was judged for itself, so that resuming needs no approval of its own. A release that is gone is left alone, and
 * so is what was proven against settings that have changed meanwhile: it is still due. `channel`: as the proof began.
 */
export async function recordProof(
  catalog: Catalog,
  channel: CatalogChannel,
  version: string,
  outcome: ProofOutcome,
  options: TransactOptions = {},
): Promise<void> {
  const place = { app: channel.app.ref, channel: channel.record.name }
  await catalog.change(async (tx) => {
    const release = await storedRelease(tx, channel, version)
    if (release === undefined) return
    await recordProofIn(tx, release, place, outcome)
    if (!release.awaitsProof || !(await isProven(tx, release))) return
    const at = new Date(outcome.at).toISOString()
    const task = { actor: SERVER, channel, version, change: { status: 'published' } } as const
    await changeServingIn(tx, at, task, { approval: { kind: 'bypass' }, cause: 'proof' })
  }, options)
}

/** Returns undefined for a release whose channel or app is gone or archived, or takes other signatures now. */
async function storedRelease(tx: CatalogReads, channel: CatalogChannel, version: string) {
  try {
    const { key, policy } = await storedChannel(tx, channel)
    const { proving } = await storedActiveApp(tx, channel.app)
    if (proving.minisignKey !== channel.app.proving.minisignKey) return undefined
    const { uncheckedSignatures } = channel.record.policy
    if (`${policy.uncheckedSignatures}` !== `${uncheckedSignatures}`) return undefined
    return await tx.release(key, version)
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}
