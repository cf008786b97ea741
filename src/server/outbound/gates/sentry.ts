import { z } from 'zod'
import type { SentryCheck } from '../../../shared/plans/gate-check.ts'
import { crashFreePct } from '../../rules/judging/crash-free.ts'
import { type Asking, askServer, type Found, type ReleaseNames, withNames } from './ask.ts'

const SESSIONS = 'sum(session)'
const CRASH_FREE = 'crash_free_rate(session)'
/** How far back sessions are counted: those of a release begin when it does. */
const PERIOD = '90d'

const Result = z.object({
  groups: z.array(
    z.object({
      totals: z.object({
        [SESSIONS]: z.number().min(0).nullable(),
        [CRASH_FREE]: z.number().min(0).max(1).nullable(),
      }),
    }),
  ),
})

/**
 * Returns the crash-free share of the sessions of a release: the lower bound, in percent. Asks the release health of
 * Sentry, `/api/0/organizations/{organization}/sessions/`.
 */
export async function readSentry(
  { server, organization, project, release, environment, minSessions }: SentryCheck,
  names: ReleaseNames,
  asking: Asking,
): Promise<Found> {
  const asked = new URLSearchParams([
    ...[SESSIONS, CRASH_FREE].map((field) => ['field', field]),
    ...[
      ['project', String(project)],
      ['statsPeriod', PERIOD],
      ['interval', '1d'],
      ['includeSeries', '0'],
      ['query', `release:"${withNames(release, names)}"`],
    ],
    ...(environment === undefined ? [] : [['environment', environment]]),
  ])
  const path = `/api/0/organizations/${organization}/sessions/`
  const answer = await askServer(server, path, asked, asking)
  if ('problem' in answer) return answer
  const read = Result.safeParse(answer.json)
  if (!read.success) return { problem: 'malformed' }
  const { groups } = read.data
  if (groups.length > 1) return { problem: 'several_series' }
  const { [SESSIONS]: sessions, [CRASH_FREE]: rate } = groups[0]?.totals ?? {}
  if (!sessions || typeof rate !== 'number') return { problem: 'no_data' }
  if (sessions < minSessions) return { problem: 'few_sessions', sessions }
  return { value: crashFreePct(Math.round(sessions * (1 - rate)), sessions), sessions }
}
