import { z } from 'zod'
import { NO_ANSWER } from '../events/webhook.ts'
import { Timestamp } from '../names.ts'

/** Longest address of a server, query and name. */
const [MAX_SERVER, MAX_QUERY, MAX_NAME] = [512, 2_000, 250]

const share = z
  .number()
  .min(0, 'must be a percentage from 0 to 100')
  .max(100, 'must be a percentage from 0 to 100')

/** The base address of a server that a gate asks. Whether it may be asked is a setting of this server. */
const GateServer = z
  .string()
  .max(MAX_SERVER, `must be at most ${MAX_SERVER} characters`)
  .refine(isPlainAddress, 'must be an http or https address without user name, query and fragment')
  .meta({
    description: 'Base address. Only servers that `--gate-server` lists are asked',
    examples: ['https://prometheus.example.com'],
  })

const sessions = z.int().min(1).max(1_000_000)

/** A query to a server with the HTTP API of Prometheus. Holds if the one value that it returns is within the bounds. */
export const PrometheusCheck = z
  .strictObject({
    server: GateServer,
    query: z
      .string()
      .min(1, 'must not be empty')
      .max(MAX_QUERY, `must be at most ${MAX_QUERY} characters`)
      .meta({
        description:
          'PromQL that returns one value, such as `sum(…)`. `$app`, `$channel` and `$version` are those of the release',
      }),
    min: z.number().optional().meta({ description: 'Least value' }),
    max: z.number().optional().meta({ description: 'Greatest value' }),
  })
  .refine(({ min, max }) => min !== undefined || max !== undefined, {
    path: ['max'],
    message: 'is required without min',
  })
  .meta({ id: 'PrometheusCheck' })
export type PrometheusCheck = z.infer<typeof PrometheusCheck>

/** Crash-free sessions, as the release health of Sentry counts them. */
export const SentryCheck = z
  .strictObject({
    server: GateServer,
    organization: z
      .string()
      .regex(/^[a-z0-9][a-z0-9_-]{0,62}$/, 'must be the slug of an organization'),
    project: z.int().min(1).meta({ description: 'ID of the project' }),
    release: z
      .string()
      .min(1, 'must not be empty')
      .max(MAX_NAME, `must be at most ${MAX_NAME} characters`)
      .regex(/^[^"\\\n\r\t*]*$/, 'must not contain quotes, backslashes and asterisks')
      .default('$version')
      .meta({
        description:
          'Name of the release at Sentry. `$app`, `$channel` and `$version` are those of the release',
      }),
    environment: z.string().min(1, 'must not be empty').max(64).optional(),
    minCrashFreePct: share.meta({
      description: 'Least share of sessions that did not crash: the lower bound, in percent',
    }),
    minSessions: sessions.default(100).meta({ description: 'Least number of sessions' }),
  })
  .meta({ id: 'SentryCheck' })
export type SentryCheck = z.infer<typeof SentryCheck>

/** Crash-free sessions, as this server counts them (docs/health.md). */
export const CrashFreeCheck = z
  .strictObject({
    minPct: share.meta({
      description: 'Least share of sessions that did not crash: the lower bound, in percent',
    }),
    minSessions: sessions.default(100).meta({ description: 'Least number of sessions' }),
  })
  .meta({ id: 'CrashFreeCheck' })
export type CrashFreeCheck = z.infer<typeof CrashFreeCheck>

/** What a check of a gate looks at: see the members of `PlanGate`. */
export const CheckName = z.enum(['prometheus', 'sentry', 'crashFree'])
export type CheckName = z.infer<typeof CheckName>

/**
 * Why a check has no value. A gate never passes with one of these:
 * - `server_not_allowed`: this server may not ask that address
 * - `private_address`, `unresolved`, `unreachable`, `certificate`, `timed_out`, `broken_off`: no answer
 * - `redirected`, `unauthorized`, `query_refused`, `rate_limited`, `error_status`: an answer with another status
 * - `too_large`, `malformed`: an answer that is not what the API returns
 * - `partial`: the server warns that the result may be incomplete or wrong
 * - `no_data`: no series, no sessions or no release
 * - `several_series`: more than one value
 * - `not_a_number`: NaN or infinite
 * - `few_sessions`: fewer than the gate asks for
 * - `one_network`: fewer than that outside the network with the most sessions
 */
export const CheckProblem = z.enum([
  'server_not_allowed',
  ...NO_ANSWER,
  'redirected',
  'unauthorized',
  'query_refused',
  'rate_limited',
  'error_status',
  'too_large',
  'malformed',
  'partial',
  'no_data',
  'several_series',
  'not_a_number',
  'few_sessions',
  'one_network',
])
export type CheckProblem = z.infer<typeof CheckProblem>

/** What a check of a gate found last. */
export const CheckReading = z
  .strictObject({
    check: CheckName,
    at: Timestamp,
    value: z.number().nullable().meta({
      description:
        'The value of a query; of sessions the lower bound of the crash-free share, in percent. Null without one',
    }),
    sessions: z.int().min(0).nullable().meta({ description: 'Null for a query' }),
    problem: CheckProblem.nullable().meta({ description: 'Why the check cannot pass' }),
    status: z.int().nullable().meta({
      description: 'The HTTP status of the answer, if that is the problem',
    }),
  })
  .meta({ id: 'CheckReading' })
export type CheckReading = z.infer<typeof CheckReading>

/** The checks of a gate. */
export interface GateChecks {
  readonly prometheus?: PrometheusCheck | undefined
  readonly sentry?: SentryCheck | undefined
  readonly crashFree?: CrashFreeCheck | undefined
}

/** Returns the checks of a gate that are not about the devices, in the order in which they are shown. */
export function checksOf(gate: GateChecks): CheckName[] {
  const names: readonly CheckName[] = ['prometheus', 'sentry', 'crashFree']
  return names.filter((name) => gate[name] !== undefined)
}

/** Returns whether a reading is within the bounds of its check. One without a value never is. */
export function readingHolds(gate: GateChecks, { check, value, problem }: CheckReading): boolean {
  if (value === null || problem !== null) return false
  const { min, max } = boundsOf(gate, check)
  return value >= min && value <= max
}

function boundsOf({ prometheus, sentry, crashFree }: GateChecks, check: CheckName) {
  const most = Number.POSITIVE_INFINITY
  if (check === 'prometheus') return { min: prometheus?.min ?? -most, max: prometheus?.max ?? most }
  const least = check === 'sentry' ? sentry?.minCrashFreePct : crashFree?.minPct
  return { min: least ?? most, max: most }
}

function isPlainAddress(text: string): boolean {
  const url = URL.parse(text)
  if (url === null || !['http:', 'https:'].includes(url.protocol)) return false
  return url.username === '' && url.password === '' && !/[?#]/.test(text)
}
