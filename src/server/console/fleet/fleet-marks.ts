import { z } from 'zod'
import type { RolloutMark } from '../../../shared/console/fleet.ts'
import { ReleaseStatus } from '../../../shared/release.ts'
import type { ServingChangeRow } from '../../fleet/charts/charts.ts'

/** The parts of a release in the audit log that a chart can show. */
const Part = z.object({ rolloutPct: z.int().optional(), status: ReleaseStatus.optional() })
type Part = z.infer<typeof Part>

/**
 * Returns what a change of a release did to its rollout: nothing (only targets changed), one thing, or
 * two (resumed and raised in one call).
 */
export function marksOf(row: ServingChangeRow): RolloutMark[] {
  const { at, channel, version } = row
  const mark = (change: RolloutMark['change'], rolloutPct: number | null): RolloutMark => {
    return { at, channel, version, change, rolloutPct }
  }
  const after = partOf(row.after)
  if (row.action === 'release.published') return [mark('published', after.rolloutPct ?? null)]
  const marks: RolloutMark[] = []
  if (after.rolloutPct !== undefined) {
    const from = partOf(row.before).rolloutPct ?? 0
    marks.push(mark(after.rolloutPct < from ? 'lowered' : 'raised', after.rolloutPct))
  }
  if (after.status !== undefined) {
    marks.push(mark(after.status === 'published' ? 'resumed' : after.status, null))
  }
  return marks
}

function partOf(json: string): Part {
  const read = Part.safeParse(JSON.parse(json))
  return read.success ? read.data : {}
}
