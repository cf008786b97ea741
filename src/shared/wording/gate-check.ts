import type { CheckName, CheckProblem, CheckReading, GateChecks } from '../plans/gate-check.ts'
import { formatCount, formatCounted, formatPercent } from './format.ts'

/** What the checks of gates look at. */
export const CHECK_LABELS: Readonly<Record<CheckName, string>> = {
  prometheus: 'Prometheus query',
  sentry: 'Crash-free sessions at Sentry',
  crashFree: 'Crash-free sessions',
}

/** Returns what a check found, and what it asks for: `0.5, at most 0.02 required`. `reading`: undefined before the first. */
export function readingInWords(
  gate: GateChecks,
  name: CheckName,
  reading: CheckReading | undefined,
): string {
  return `${foundInWords(reading)}; ${boundsInWords(gate, name)} required`
}

/** Returns what a check asks for: `at most 0.02`. */
export function boundsInWords(
  { prometheus, sentry, crashFree }: GateChecks,
  name: CheckName,
): string {
  if (name === 'prometheus') {
    const { min, max } = prometheus ?? {}
    const least = min === undefined ? [] : [`at least ${plain(min)}`]
    const most = max === undefined ? [] : [`at most ${plain(max)}`]
    return [...least, ...most].join(' and ')
  }
  const least = name === 'sentry' ? sentry?.minCrashFreePct : crashFree?.minPct
  return `at least ${percent(least ?? 100)}`
}

function foundInWords(reading: CheckReading | undefined): string {
  if (reading === undefined) return 'not read yet'
  const { check, value, problem, status, sessions } = reading
  if (problem !== null || value === null) {
    const why = PROBLEMS[problem ?? 'no_data']
    const found = sessions === null ? '' : ` (${formatCount(sessions)})`
    return `${why}${status === null ? '' : ` (HTTP status ${status})`}${found}`
  }
  if (check === 'prometheus') return plain(value)
  return `at least ${percent(value)} of ${formatCounted(sessions ?? 0, 'session')}`
}

const PROBLEMS: Readonly<Record<CheckProblem, string>> = {
  server_not_allowed:
    'this server may not ask that address; an administrator adds it with --gate-server',
  private_address: 'the server has a private address',
  unresolved: 'the host cannot be found',
  unreachable: 'the server cannot be reached',
  certificate: 'the server has no valid TLS certificate',
  timed_out: 'no answer in time',
  broken_off: 'the connection was closed early',
  redirected: 'the server redirects, which is not followed',
  unauthorized: 'the token is missing or not accepted',
  query_refused: 'the server refuses the query',
  rate_limited: 'the server gets too many requests',
  error_status: 'the server has failed',
  too_large: 'the answer is too long',
  malformed: 'the answer is not a number',
  partial: 'the server warns that the result may be wrong',
  no_data: 'no data',
  several_series: 'several series in place of one value',
  not_a_number: 'the value is not a number',
  few_sessions: 'too few sessions',
  one_network: 'too few sessions outside the network with the most',
}

function plain(value: number): string {
  return String(Number(value.toPrecision(4)))
}

/** Crash-free shares differ in the second digit. */
function percent(value: number): string {
  return formatPercent(value, Number.isInteger(value) ? 0 : 2)
}
