import { pull } from '../../shared/console/bridge/pull.ts'
import type { ConsoleEvent, Overview } from '../../shared/console/overview.ts'
import type { SettingsInUse } from '../../shared/console/settings/status.ts'
import type { Fleet } from '../fleet/fleet.ts'
import type { MonitorParts } from '../monitoring/monitor.ts'
import type { People } from '../people/people.ts'
import type { Control } from '../rules/judging/control.ts'
import { type CallRepeat, RepeatedCalls } from '../runtime/async/repeated-calls.ts'
import type { StoredTelemetry } from '../runtime/cluster/all-nodes.ts'
import type { Nodes } from '../runtime/cluster/nodes.ts'
import { Slots } from '../runtime/limits/slots.ts'
import type { Contact } from '../use-cases/contact.ts'
import type { FailingRelease } from '../use-cases/plans/failure-watch.ts'
import { type Principal, whoIs } from '../use-cases/principal.ts'
import type { Updates } from '../use-cases/updates.ts'
import { AuditCounts } from './audit/audit-counts.ts'
import type { CommandContext } from './command-context.ts'
import { RecentDeviceCounts } from './fleet/recent-devices.ts'
import type { CallerSession } from './reach.ts'

/** Milliseconds between polls: at most four events a second. */
const INTERVAL = 250

type Change = ConsoleEvent['changed'][number]

/** Numbers that differ whenever the thing has changed. Read at every poll, so they must be cheap. */
type Watched = Readonly<Record<Change, () => number>>

/** Reports that something changed, at most four times a second, by polling while somebody follows. All share one numbering. */
class Changes {
  readonly #watched: Watched
  readonly #followers = new Set<(event: ConsoleEvent) => void>()
  readonly #seen: Record<Change, number>
  #sequence = 0
  #timer: NodeJS.Timeout | undefined

  constructor(watched: Watched) {
    this.#watched = watched
    this.#seen = { catalog: watched.catalog(), fleet: watched.fleet(), people: watched.people() }
  }

  /** Yields the present number, then every change until `signal` is aborted. A slow reader gets one event with the latest number. */
  follow(signal: AbortSignal | undefined): AsyncGenerator<ConsoleEvent, void> {
    let waiting: ConsoleEvent | undefined
    const listen = (wake: () => void) => {
      this.#look()
      waiting = { sequence: this.#sequence, changed: [] }
      const listener = ({ sequence, changed }: ConsoleEvent) => {
        waiting = { sequence, changed: [...new Set([...(waiting?.changed ?? []), ...changed])] }
        wake()
      }
      this.#add(listener)
      return () => this.#remove(listener)
    }
    const take = () => {
      const events = waiting === undefined ? [] : [waiting]
      waiting = undefined
      return events
    }
    return pull(signal, listen, take)
  }

  #add(listener: (event: ConsoleEvent) => void): void {
    this.#followers.add(listener)
    this.#timer ??= setInterval(() => this.#look(), INTERVAL).unref()
  }

  #remove(listener: (event: ConsoleEvent) => void): void {
    this.#followers.delete(listener)
    if (this.#followers.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #look(): void {
    const changed = (['catalog', 'fleet', 'people'] as const).filter((thing) => {
      const now = this.#watched[thing]()
      const differs = now !== this.#seen[thing]
      this.#seen[thing] = now
      return differs
    })
    if (changed.length === 0) return
    this.#sequence++
    for (const listener of this.#followers) listener({ sequence: this.#sequence, changed })
  }
}

/** Exports that are made, and searches that are done, at the same time. */
const [MAX_EXPORTS, MAX_SEARCHES] = [2, 4]

/** The parts of a running server that the console uses. */
export interface ConsoleParts
  extends Pick<MonitorParts, 'catalog' | 'databaseTrouble' | 'certificate' | 'bucketOutage'> {
  /** Where devices reach the server, the address that is configured for them first. */
  readonly addresses: () => Overview['addresses']
  /** Of the console for browsers; null if it is offered to nobody. */
  readonly consoleAddress: string | null
  readonly updates: Updates
  readonly contact: Contact
  readonly fleet: Fleet
  readonly people: Pick<People, 'revision'>
  /** How the check-ins of all nodes are stored. */
  readonly telemetryOfAll: () => StoredTelemetry
  /** Whether artifacts cannot be proven at all, or what is found cannot be recorded. */
  readonly provingFailed: () => boolean
  /** Whether a plan could not be advanced. */
  readonly plansFailed: () => boolean
  /** Live releases that failed on too many devices, of those that no running plan is responsible for. */
  readonly failingReleases: () => Promise<readonly FailingRelease[]>
  /** The control of a release as this server counted it last; null if it did not lately. */
  readonly controlOf: (releaseId: string) => Control | null
  /** With which the server was started. */
  readonly settings: SettingsInUse
  /** Whether files can be uploaded to the server. */
  readonly storesFiles: boolean
  /** Absolute path. */
  readonly dataFolder: string
  /** The nodes that serve with this one; undefined if there is one process. */
  readonly nodes?: Nodes | undefined
}

/** What the procedures of all callers share. One for each server that runs. */
export interface SharedConsoleContext extends ConsoleParts {
  readonly changes: Changes
  readonly auditCounts: AuditCounts
  readonly recentDevices: RecentDeviceCounts
  readonly repeats: RepeatedCalls
  readonly exports: SharedWork
  readonly searches: SharedWork
}

export interface ConsoleContext extends SharedConsoleContext, Omit<CommandContext, 'repeats'> {
  readonly updates: Updates
  readonly contact: Contact
  readonly fleet: Fleet
}

/** Creates what all callers of a running server share. It holds nothing that must be closed. */
export function createConsoleContext(parts: ConsoleParts): SharedConsoleContext {
  const { catalog, fleet, people } = parts
  return {
    ...parts,
    changes: new Changes({
      catalog: () => catalog.snapshot.revision,
      fleet: () => fleet.feed.sequence,
      people: () => people.revision,
    }),
    auditCounts: new AuditCounts(catalog.store),
    repeats: new RepeatedCalls({ hasOthers: () => (parts.nodes?.list().nodes.length ?? 1) > 1 }),
    exports: new SharedWork({ total: MAX_EXPORTS }),
    searches: new SharedWork({ total: MAX_SEARCHES }),
    recentDevices: new RecentDeviceCounts({
      count: () => fleet.activeDevices(catalog.now()),
      sequence: () => fleet.feed.sequence,
    }),
  }
}

/** Returns the context of a caller, with the session that the call comes with. Costs nothing, so that every request may have its own. */
export function forPrincipal(
  shared: SharedConsoleContext,
  principal: Principal,
  session: CallerSession | null = null,
  repeat: CallRepeat | null = null,
): ConsoleContext {
  return { ...shared, principal, session, repeat }
}

const NEVER = new AbortController().signal

/** What keeps a server busy for a while: one at a time for each person, in turns, so that nobody waits without end. */
export class SharedWork {
  readonly #slots: Slots<string>

  /** `total`: most that are done at the same time, of all. */
  constructor({ total }: { readonly total: number }) {
    this.#slots = new Slots({ total, each: 1 })
  }

  /** Does it in the caller's turn. Throws what `work` throws. */
  run<T>(principal: Principal, work: () => Promise<T>): Promise<T> {
    return this.#slots.run(whoIs(principal), NEVER, work)
  }

  /** Yields what `work` yields, in the caller's turn. Ends when `signal` is aborted, which it may be while it waits. */
  async *follow<T>(
    principal: Principal,
    signal: AbortSignal | undefined,
    work: () => AsyncGenerator<T, void>,
  ): AsyncGenerator<T, void> {
    const end = await this.#slots.take(whoIs(principal), signal ?? NEVER).catch((error) => {
      if (signal?.aborted !== true) throw error
    })
    if (end === undefined) return
    try {
      yield* work()
    } finally {
      end()
    }
  }
}
