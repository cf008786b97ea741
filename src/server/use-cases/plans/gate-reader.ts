import type { SessionCounts } from '../../../shared/health/health-states.ts'
import {
  type CheckName,
  type CheckReading,
  type CrashFreeCheck,
  checksOf,
  type GateChecks,
} from '../../../shared/plans/gate-check.ts'
import { allSteps } from '../../../shared/plans/plan-steps.ts'
import type { Catalog } from '../../catalog/catalog.ts'
import type { PlanOfRelease } from '../../catalog/plans/plan-record.ts'
import type { TransactOptions } from '../../catalog/store.ts'
import type { Asking, Found, ReleaseNames } from '../../outbound/gates/ask.ts'
import { readPrometheus, readSentry } from '../../outbound/gates/readings.ts'
import { crashFreeOf } from '../../rules/judging/crash-free.ts'
import { ScheduledJob } from '../../runtime/async/scheduled-job.ts'
import type { Job } from '../../runtime/cluster/leadership.ts'

const MINUTE = 60_000
/** Milliseconds between two readings of a gate while its step soaks, so that a mistake shows long before it matters. */
const WHILE_SOAKING = 15 * MINUTE
/** Gates that are read at the same time. */
const PARALLEL = 4

export interface GateReaderParts {
  readonly catalog: Catalog
  readonly asking: Omit<Asking, 'signal'>
  /** Milliseconds between two looks at which gates are due. */
  readonly lookEvery: number
  readonly writes?: TransactOptions | undefined
  /** Hears of every look and every gate that could not be read, or not be noted. */
  readonly onFailure: (error: unknown) => void
}

/** A gate to read: of the last step of a running plan. */
interface DueGate {
  readonly plan: PlanOfRelease
  readonly gate: GateChecks
  readonly names: ReleaseNames
}

/** Asks other servers what gates look at, each once a minute at most. Steps of plans do not wait for a late answer. */
export class GateReader {
  /** Reads what is due now and then. */
  readonly job: Job
  readonly #parts: GateReaderParts
  /** When a gate was read last, Unix time in milliseconds, by its release and step. */
  #readAt: ReadonlyMap<string, number> = new Map()

  constructor(parts: GateReaderParts) {
    this.#parts = parts
    const { lookEvery, onFailure } = parts
    this.job = new ScheduledJob((ended) => this.look(ended), {
      ...{ first: lookEvery, every: lookEvery, onFailure },
    })
  }

  /** Reads every gate that is due once, until `ended` aborts. Rejects with `StorageError` if the plans cannot be read. */
  async look(ended: AbortSignal = new AbortController().signal): Promise<void> {
    const due = await this.#dueGates()
    const next = due.values()
    const work = async () => {
      for (const gate of next) {
        if (ended.aborted) return
        await this.#read(gate, ended).catch(this.#parts.onFailure)
      }
    }
    await Promise.all(Array.from({ length: PARALLEL }, work))
  }

  async #dueGates(): Promise<DueGate[]> {
    const { catalog } = this.#parts
    const plans = await catalog.store.plans(['running'])
    const now = catalog.now()
    const due: DueGate[] = []
    const readAt = new Map<string, number>()
    for (const plan of plans) {
      const gate = gateOf(plan)
      const channel = catalog.snapshot.channelByKey.get(plan.channelKey)
      if (gate === undefined || channel === undefined || channel.app.archivedAt !== null) continue
      const before = this.#readAt.get(keyOf(plan))
      const isDue = before === undefined || Math.abs(now - before) >= waitOf(plan, now)
      readAt.set(keyOf(plan), isDue ? now : before)
      if (!isDue) continue
      const names = {
        app: channel.app.ref,
        channel: channel.record.name,
        version: plan.version,
      }
      due.push({ plan, gate, names })
    }
    this.#readAt = readAt
    return due
  }

  async #read({ plan, gate, names }: DueGate, signal: AbortSignal): Promise<void> {
    const { catalog, asking, writes } = this.#parts
    const readings: CheckReading[] = []
    for (const check of checksOf(gate)) {
      const found = await this.#found(check, { plan, gate, names }, { ...asking, signal })
      readings.push(readingOf(check, found, catalog.timestamp()))
    }
    if (signal.aborted) return
    await catalog.store.recordReadings(plan, readings, writes)
  }

  async #found(
    check: CheckName,
    { plan: { releaseId }, gate, names }: DueGate,
    asking: Asking,
  ): Promise<Found> {
    const { prometheus, sentry, crashFree } = gate
    if (check === 'prometheus' && prometheus) return await readPrometheus(prometheus, names, asking)
    if (check === 'sentry' && sentry) return await readSentry(sentry, names, asking)
    const { networks } = await this.#parts.catalog.store.sessionsOf(releaseId)
    return crashFree === undefined ? { problem: 'no_data' } : crashFreeIn(networks, crashFree)
  }
}

/** Returns the gate that a plan is at, if it has checks. */
function gateOf({ plan, step }: PlanOfRelease): GateChecks | undefined {
  // Nothing comes after the last step.
  const steps = allSteps(plan)
  const gate = step < steps.length ? steps[step - 1]?.gate : undefined
  return gate !== undefined && checksOf(gate).length > 0 ? gate : undefined
}

/** A gate that is changed is another one. */
function keyOf({ releaseId, step, plan }: PlanOfRelease): string {
  return JSON.stringify([releaseId, step, allSteps(plan)[step - 1]?.gate])
}

function waitOf({ plan, step, soakSince }: PlanOfRelease, now: number): number {
  const soak = (allSteps(plan)[step - 1]?.soakHours ?? 0) * 60 * MINUTE
  const soaked = soakSince === null ? now : Date.parse(soakSince) + soak
  return now < soaked ? Math.min(WHILE_SOAKING, Math.max(MINUTE, soaked - now)) : MINUTE
}

/** With several networks, the share must hold without the one that has the most sessions, too. */
function crashFreeIn(networks: readonly SessionCounts[], { minSessions }: CrashFreeCheck): Found {
  const { all, rest } = crashFreeOf(networks)
  const { sessions } = all
  if (sessions === 0) return { problem: 'no_data' }
  if (sessions < minSessions) return { problem: 'few_sessions', sessions }
  if (rest === null) return { value: all.atLeastPct, sessions }
  if (rest.sessions < minSessions) return { problem: 'one_network', sessions: rest.sessions }
  return { value: Math.min(all.atLeastPct, rest.atLeastPct), sessions }
}

function readingOf(check: CheckName, found: Found, at: string): CheckReading {
  const sessions = found.sessions ?? null
  if ('value' in found) {
    return { check, at, value: found.value, sessions, problem: null, status: null }
  }
  const { problem, status = null } = found
  return { check, at, value: null, sessions, problem, status }
}
