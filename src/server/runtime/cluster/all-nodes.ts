import { Alarm } from '../../../shared/events/webhook.ts'
import type { UsedBudget } from '../../../shared/operation/budgets.ts'
import type { StorageProblem } from '../../../shared/operation/storage-problem.ts'
import type { BucketOutage } from '../../hosting/bucket/bucket-failure.ts'
import type { NodeState, Nodes } from './nodes.ts'

export type NodeTrouble = Pick<
  NodeState,
  'alarms' | 'telemetryFailure' | 'bucketOutage' | 'budgets'
> & {
  /** Check-ins lost, as `TelemetryHealth` has them. */
  readonly lost: number
}

/** How the check-ins of all nodes are stored. */
export interface StoredTelemetry {
  readonly lost: number
  readonly failure: StorageProblem | null
  readonly budgets: readonly UsedBudget[]
}

/** What is wrong on any node: of this one as it is now, of the others as they told last. One without its lease tells nothing. */
export class AllNodes {
  readonly #own: () => NodeTrouble
  readonly #nodes: Pick<Nodes, 'list'> | undefined

  /** `nodes`: undefined if there is one process. */
  constructor(own: () => NodeTrouble, nodes: Pick<Nodes, 'list'> | undefined) {
    this.#own = own
    this.#nodes = nodes
  }

  /** What is wrong, as people who are not looking should hear. */
  get alarms(): readonly Alarm[] {
    const raised = new Set(this.#all().flatMap(({ alarms }) => alarms))
    return Alarm.options.filter((alarm) => raised.has(alarm))
  }

  /** Why a node cannot use the bucket for a while: that which lasts longest. */
  get bucketOutage(): BucketOutage | null {
    const outages = this.#all().flatMap(({ bucketOutage }) => bucketOutage ?? [])
    return outages.toSorted((one, other) => one.since - other.since)[0] ?? null
  }

  get telemetry(): StoredTelemetry {
    const all = this.#all()
    return {
      lost: all.reduce((sum, { lost }) => sum + (lost ?? 0), 0),
      failure:
        all.find(({ telemetryFailure }) => telemetryFailure !== null)?.telemetryFailure ?? null,
      budgets: joined(all.flatMap(({ budgets }) => budgets)),
    }
  }

  #all(): (Omit<NodeTrouble, 'lost'> & Pick<NodeState, 'lost'>)[] {
    const listed = this.#nodes?.list().nodes ?? []
    const others = listed.filter(({ own, leaseLeft }) => !own && leaseLeft > 0)
    return [this.#own(), ...others.map(({ state }) => state)]
  }
}

/** Each limit once, from when it was first reached on any node until it last was. */
function joined(budgets: readonly UsedBudget[]): UsedBudget[] {
  return [...Map.groupBy(budgets, ({ name }) => name)].map(([name, used]) => ({
    name,
    since: used.map(({ since }) => since).toSorted()[0] ?? '',
    last:
      used
        .map(({ last }) => last)
        .toSorted()
        .at(-1) ?? '',
    count: used.reduce((sum, { count }) => sum + count, 0),
  }))
}
