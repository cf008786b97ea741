import { EXCLUDED, evidenceBeside } from '../../../shared/health/always-valid.ts'
import { endedOf } from '../../../shared/health/health-states.ts'
import { type Compared, failedShare, type HoldoutResult } from '../../../shared/health/judgement.ts'
import type { Catalog } from '../../catalog/catalog.ts'
import type { HealthReads } from '../../fleet/health/facts.ts'
import { sumOf } from '../../rules/judging/crash-free.ts'
import { countedPair } from '../fleet/previous-release.ts'
import type { ControlReader } from './control-reader.ts'
import type { RunningPlan } from './plan-runner.ts'

/** No more than of those that are held back. */
const SAME = { own: 0, part: 1, more: 0 }

interface HoldoutParts {
  readonly catalog: Catalog
  readonly fleet: Pick<HealthReads, 'channelHealth' | 'releaseHealth'>
  readonly controls: Pick<ControlReader, 'arms'>
}

/** Compares the devices that a plan holds back with those offered; null if none was. Rejects as `ControlReader.arms`. */
export async function holdoutResult(
  { catalog, fleet, controls }: HoldoutParts,
  { channel, release }: Pick<RunningPlan, 'channel' | 'release'>,
): Promise<HoldoutResult | null> {
  const { own, previous } = await countedPair(fleet, channel, release.id, catalog.now())
  if (own === null) return null
  const { offered, control } = await controls.arms(channel, own)
  const shares = (name: 'silent' | 'reverted') =>
    compared([offered[name], offered.devices], [control[name], control.devices])
  const crashes = async (releaseId: string): Promise<Count> => {
    const sum = sumOf((await catalog.store.sessionsOf(releaseId)).networks)
    return [sum.crashed, endedOf(sum)]
  }
  const [now, before] = [await crashes(own.id), previous && (await crashes(previous.id))]
  const hasBoth = now[1] > 0 && before !== null && before[1] > 0
  return {
    ...{ silent: shares('silent'), reverted: shares('reverted') },
    crashed: hasBoth ? compared(now, before) : null,
  }
}

type Count = readonly [failed: number, judged: number]

function compared([failed, judged]: Count, [heldFailed, heldJudged]: Count): Compared {
  const heldBack = { failed: heldFailed, judged: heldJudged }
  return {
    ...{ offered: failedShare(failed, judged), heldBack: failedShare(heldFailed, heldJudged) },
    isWorse: evidenceBeside(failed, judged, heldBack, SAME) >= EXCLUDED,
  }
}
