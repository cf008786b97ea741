import { z } from 'zod'
import { ReleaseStatus } from '../../../shared/release.ts'
import { Targets } from '../../../shared/targets.ts'
import { formatCounted } from '../../components/format.ts'
import type { HistoryEntry } from '../detail.ts'
import { targetsInWords } from '../targets/words.ts'
import { listed, sentence } from '../words.ts'

const Published = z.object({ rolloutPct: z.number(), artifacts: z.number() })

const Serving = z.object({
  status: ReleaseStatus.optional(),
  rolloutPct: z.number().optional(),
  targets: Targets.optional(),
})
type Serving = z.infer<typeof Serving>

/** What happened to a release, as a sentence. An entry that is not known is named by its action. */
export function historyInWords({ action, before, after }: HistoryEntry): string {
  if (action === 'release.published') {
    const read = Published.safeParse(after)
    if (!read.success) return 'Published.'
    const { rolloutPct, artifacts } = read.data
    return `Published to ${rolloutPct} % of devices, with ${formatCounted(artifacts, 'artifact')}.`
  }
  if (action === 'release.serving_changed') {
    const [from, to] = [Serving.safeParse(before), Serving.safeParse(after)]
    if (from.success && to.success) return servingInWords(from.data, to.data)
  }
  return sentence(action.replace(/^release\./, '').replaceAll('_', ' '))
}

/** Who did it: a key, or an account of this machine. */
export function actorInWords({ kind, name }: HistoryEntry['actor']): string {
  switch (kind) {
    case 'key':
      return `API key ${name}`
    case 'command_line':
      return `${name} on the command line`
    case 'console':
      return `${name} in the console`
  }
}

function servingInWords(before: Serving, after: Serving): string {
  const parts: string[] = []
  if (after.status !== undefined) parts.push(STATUS_WORDS[after.status])
  if (after.rolloutPct !== undefined) {
    const from = before.rolloutPct ?? 0
    const verb = after.rolloutPct > from ? 'raised' : 'lowered'
    parts.push(`rollout ${verb} from ${from} % to ${after.rolloutPct} %`)
  }
  const done = sentence(listed(parts))
  if (after.targets === undefined) return done
  const meant = `Targets changed: ${targetsInWords(after.targets)}`
  return parts.length === 0 ? meant : `${done} ${meant}`
}

const STATUS_WORDS: Readonly<Record<ReleaseStatus, string>> = {
  published: 'resumed',
  paused: 'paused',
  rolled_back: 'rolled back',
}
