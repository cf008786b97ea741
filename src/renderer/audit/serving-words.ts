import { z } from 'zod'
import { ReleaseStatus } from '../../shared/release.ts'
import { Targets } from '../../shared/targets.ts'
import { listed, sentence } from '../releases/strings.ts'
import { targetsInWords } from '../releases/targets/strings.ts'

const Serving = z.object({
  status: ReleaseStatus.optional(),
  rolloutPct: z.number().optional(),
  targets: Targets.optional(),
})

const STATUS_WORDS: Readonly<Record<ReleaseStatus, string>> = {
  published: 'resumed',
  paused: 'paused',
  rolled_back: 'rolled back',
}

/** How the serving of a release was changed; undefined where that cannot be read. */
export function servingInWords(before: unknown, after: unknown): string | undefined {
  const [from, to] = [Serving.safeParse(before), Serving.safeParse(after)]
  if (!(from.success && to.success)) return undefined
  const { status, rolloutPct, targets } = to.data
  const parts: string[] = []
  if (status !== undefined) parts.push(STATUS_WORDS[status])
  if (rolloutPct !== undefined) {
    const old = from.data.rolloutPct ?? 0
    const verb = rolloutPct > old ? 'raised' : 'lowered'
    parts.push(`rollout ${verb} from ${old} % to ${rolloutPct} %`)
  }
  const done = sentence(listed(parts))
  if (targets === undefined) return done
  const meant = `Targets changed: ${targetsInWords(targets)}`
  return parts.length === 0 ? meant : `${done} ${meant}`
}
