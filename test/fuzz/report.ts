import type { FuzzReport } from './fuzz.ts'
import type { MemoryUse } from './server/fuzzed-server.ts'

const SHOWN = 2_000
const MOST_REFUSED = 15

/** Returns the findings of a run, as lines for a terminal. */
export function reportLines(report: FuzzReport): string[] {
  const { requests, failures, aftermath, statuses, refused, slowest, errors } = report
  const byStatus = [...statuses]
    .sort(([a], [b]) => a - b)
    .map(([status, count]) => `${status}: ${count}`)
  const messages = [...refused].sort(([, a], [, b]) => b - a).slice(0, MOST_REFUSED)
  return [
    `${requests} requests; answers by status: ${byStatus.join(', ')}`,
    `Slowest: ${Math.round(slowest.ms)} ms: ${slowest.sent.slice(0, 300)}`,
    ...(messages.length === 0 ? [] : ['Bodies that fit their schema and are refused:']),
    ...messages.map(([message, count]) => `  ${count} × ${message}`),
    ...failures.flatMap(({ issues, sent }) => ['', 'FAILED', ...issues, sent.slice(0, SHOWN)]),
    ...(aftermath.length === 0 ? [] : ['', 'WRONG AFTERWARDS', ...aftermath]),
    ...(failures.length === 0 || errors.length === 0
      ? []
      : ['', 'LOG', ...errors.map((line) => line.slice(0, SHOWN))]),
  ]
}

/** Returns the progress of a run, as a line for a terminal. */
export function progressLine(requests: number, { rss, heapUsed }: MemoryUse): string {
  return `${requests} requests; the server uses ${megabytes(rss)}, ${megabytes(heapUsed)} of them heap`
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1e6)} MB`
}
