import { type CpuTimes, cpuTimes, machineBusy } from '../process/procfs.ts'
import { Connection } from './connection.ts'
import { Histogram } from './histogram.ts'

/** What to send, where, and for how long. */
export interface LoadPlan {
  readonly port: number
  readonly connections: number
  /** The next request, or undefined when there are no more. */
  readonly next: () => Uint8Array | undefined
  /** The only status accepted; any other ends the run with an error that shows the reply. */
  readonly expect: number
  /** The process whose CPU time is measured during the load. */
  readonly pid?: number
  /** Milliseconds to run before measuring, and to measure; without it: until `next` is empty. */
  readonly window?: { readonly leadInMs: number; readonly measureMs: number }
  /** Called for every expected reply. */
  readonly onReply?: () => void
}

/** The replies inside the window. CPU figures are shares of one core; 1 is an entire core. */
export interface LoadResult {
  readonly requests: number
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  /** Mean bytes of a reply, head and body. */
  readonly replyBytes: number
  readonly serverCpu: number
  readonly serverMainCpu: number
  readonly clientCpu: number
  /** CPU time of other processes and the hypervisor on all cores together. */
  readonly othersCpu: number
}

interface Mark {
  readonly at: number
  readonly client: number
  readonly server: CpuTimes
  readonly machine: number
}

const WITHOUT_WINDOW_MS = 15 * 60_000
const GRACE_MS = 20_000

/** Drives a server over kept-alive connections, one request in flight on each. Bounded in time. */
export async function drive(plan: LoadPlan): Promise<LoadResult> {
  const histogram = new Histogram()
  const sentAt = new Float64Array(plan.connections)
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  let measuring = plan.window === undefined
  let stopping = false
  let busy = 0
  let bytes = 0

  const mark = (): Mark => ({
    at: performance.now(),
    client: ownCpu(),
    server: plan.pid === undefined ? { all: 0, main: 0 } : cpuTimes(plan.pid),
    machine: machineBusy(),
  })

  const connections = Array.from({ length: plan.connections }, (_, index) => {
    const send = () => {
      const request = stopping ? undefined : plan.next()
      if (request === undefined) {
        busy -= 1
        if (busy === 0) resolve()
        return
      }
      sentAt[index] = performance.now()
      connection.send(request)
    }
    const connection = new Connection(plan.port, {
      reply(status, replyBytes, start) {
        if (status !== plan.expect) {
          reject(
            new Error(`expected ${plan.expect}, got: ${Buffer.from(start).toString('latin1')}`),
          )
          return
        }
        if (measuring) {
          histogram.add(performance.now() - (sentAt[index] ?? 0))
          bytes += replyBytes
        }
        plan.onReply?.()
        send()
      },
      failed: reject,
    })
    return { connection, send }
  })

  let begin = mark()
  let end: Mark | undefined
  const timers: NodeJS.Timeout[] = []
  const after = (ms: number, act: () => void) => timers.push(setTimeout(act, ms))
  const bound = plan.window ? plan.window.leadInMs + plan.window.measureMs : WITHOUT_WINDOW_MS
  after(bound + GRACE_MS, () => reject(new Error('the server stopped answering')))
  try {
    await Promise.race([promise, Promise.all(connections.map((each) => each.connection.opened()))])
    begin = mark()
    if (plan.window !== undefined) {
      const { leadInMs, measureMs } = plan.window
      after(leadInMs, () => {
        begin = mark()
        measuring = true
      })
      after(leadInMs + measureMs, () => {
        measuring = false
        stopping = true
        end = mark()
      })
    }
    busy = connections.length
    for (const { send } of connections) send()
    await promise
  } finally {
    for (const timer of timers) clearTimeout(timer)
    for (const { connection } of connections) connection.close()
  }
  return resultOf(histogram, bytes, begin, end ?? mark())
}

function ownCpu(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

function resultOf(histogram: Histogram, bytes: number, begin: Mark, end: Mark): LoadResult {
  const seconds = (end.at - begin.at) / 1000
  const client = end.client - begin.client
  const server = end.server.all - begin.server.all
  const others = end.machine - begin.machine - client - server
  return {
    requests: histogram.count,
    perSecond: histogram.count / seconds,
    p50: histogram.percentile(50),
    p99: histogram.percentile(99),
    replyBytes: bytes / histogram.count,
    serverCpu: server / seconds,
    serverMainCpu: (end.server.main - begin.server.main) / seconds,
    clientCpu: client / seconds,
    othersCpu: Math.max(0, others / seconds),
  }
}
