import { z } from 'zod'
import type { PrometheusCheck, SentryCheck } from '../../../shared/plans/gate-check.ts'
import { crashFreePct } from '../../rules/judging/crash-free.ts'
import { type Asking, askServer, type Found, type ReleaseNames, withNames } from './ask.ts'

/** Unix time in seconds, and a number as text. */
const Sample = z.tuple([z.number(), z.string()])

const Result = z.object({
  status: z.literal('success'),
  data: z.discriminatedUnion('resultType', [
    z.object({ resultType: z.literal('vector'), result: z.array(z.object({ value: Sample })) }),
    z.object({ resultType: z.literal('scalar'), result: Sample }),
  ]),
  warnings: z.array(z.string()).optional(),
})

/** Returns the one value of an instant query (`/api/v1/query` of Prometheus), which ends when nobody waits any longer. */
export async function readPrometheus(
  { server, query }: PrometheusCheck,
  names: ReleaseNames,
  asking: Asking,
): Promise<Found> {
  const asked = new URLSearchParams({ query: withNames(query, names), timeout: '9s', limit: '2' })
  const answer = await askServer(server, '/api/v1/query', asked, asking)
  if ('problem' in answer) return answer
  const read = Result.safeParse(answer.json)
  if (!read.success) return { problem: 'malformed' }
  const { data, warnings = [] } = read.data
  const samples =
    data.resultType === 'scalar' ? [data.result] : data.result.map(({ value }) => value)
  const [first] = samples
  if (first === undefined) return { problem: 'no_data' }
  // Asked for two at most, it warns of the rest.
  if (samples.length > 1) return { problem: 'several_series' }
  if (warnings.length > 0) return { problem: 'partial' }
  const value = Number(first[1])
  // Infinity is `+Inf` there, which is no number here either.
  return Number.isFinite(value) ? { value, sessions: null } : { problem: 'not_a_number' }
}

const SESSIONS = 'sum(session)'
const CRASH_FREE = 'crash_free_rate(session)'
/** How far back sessions are counted: those of a release begin when it does. */
const PERIOD = '90d'

const SentryResult = z.object({
  groups: z.array(
    z.object({
      totals: z.object({
        [SESSIONS]: z.number().min(0).nullable(),
        [CRASH_FREE]: z.number().min(0).max(1).nullable(),
      }),
    }),
  ),
})

/** Returns the lower bound, in percent, of a release's crash-free sessions, from Sentry's `/organizations/{organization}/sessions/`. */
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
  const read = SentryResult.safeParse(answer.json)
  if (!read.success) return { problem: 'malformed' }
  const { groups } = read.data
  if (groups.length > 1) return { problem: 'several_series' }
  const { [SESSIONS]: sessions, [CRASH_FREE]: rate } = groups[0]?.totals ?? {}
  if (!sessions || typeof rate !== 'number') return { problem: 'no_data' }
  if (sessions < minSessions) return { problem: 'few_sessions', sessions }
  return { value: crashFreePct(Math.round(sessions * (1 - rate)), sessions), sessions }
}
