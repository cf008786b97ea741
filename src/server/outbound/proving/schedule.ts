import type { Catalog } from '../../catalog/catalog.ts'
import type { ReleaseRecord } from '../../catalog/records.ts'
import { type CatalogChannel, releasesToProve, type Snapshot } from '../../catalog/snapshot.ts'
import { ScheduledJob } from '../../runtime/async/scheduled-job.ts'
import type { Job } from '../../runtime/cluster/leadership.ts'
import type { ProofEnd } from './prover.ts'

/** Milliseconds after a run that was canceled or failed until the schedule begins another. */
const PUT_OFF = 15 * 60_000
/** Releases of one app that the schedule proves at the same time. */
const MAX_RUNS = 4

export interface ProvingScheduleParts {
  readonly catalog: Catalog
  /** Milliseconds between two looks. One that finds nothing new reads nothing. */
  readonly lookEvery: number
  /** Proves a release, and records what is found. */
  prove(channel: CatalogChannel, release: ReleaseRecord): Promise<ProofEnd>
  /** Ends the run of a release. */
  cancel(releaseId: string): void
  /** Hears of every look and every run that failed. */
  readonly onFailure: (error: unknown) => void
}

interface Candidate {
  readonly channel: CatalogChannel
  readonly release: ReleaseRecord
}

/** Proves what policies require: new releases at once, what is served daily, and what fails ever more rarely. */
export class ProvingSchedule implements Job {
  readonly #parts: ProvingScheduleParts
  readonly #runs = new Map<string, { readonly app: number; readonly ended: Promise<void> }>()
  /** By the ID of a release, when its next run may begin. */
  readonly #putOff = new Map<string, number>()
  readonly #job: ScheduledJob
  #seenRevision = -1
  #nextDue = Number.NEGATIVE_INFINITY
  #failed = false

  constructor(parts: ProvingScheduleParts) {
    this.#parts = parts
    this.#job = new ScheduledJob(() => this.look(), {
      ...{ first: parts.lookEvery, every: parts.lookEvery },
      onFailure: (error) => this.#fail(error),
    })
  }

  /** Whether the last look or run failed: not what it found, but to carry it out or record it. */
  get failed(): boolean {
    return this.#failed
  }

  start(): void {
    this.#job.start()
  }

  /** Cancels the runs that it began, which are begun again after the next start. */
  async stop(): Promise<void> {
    await this.#job.stop()
    for (const id of this.#runs.keys()) this.#parts.cancel(id)
    await Promise.all([...this.#runs.values()].map(({ ended }) => ended))
    // From now on another server knows.
    this.#failed = false
  }

  /** Begins what is due. Reads nothing unless the catalog has changed or the time has come. */
  async look(): Promise<void> {
    const { catalog } = this.#parts
    const { snapshot } = catalog
    const now = catalog.now()
    if (snapshot.revision === this.#seenRevision && now < this.#nextDue) return
    const candidates = candidatesOf(snapshot)
    const due = await this.#dueOf(candidates)
    this.#seenRevision = snapshot.revision
    this.#nextDue = Math.min(Number.POSITIVE_INFINITY, ...due.values())
    for (const candidate of candidates) {
      const at = due.get(candidate.release.id)
      if (at === undefined || at > now) continue
      if (this.#countOf(candidate.channel.record.appKey) >= MAX_RUNS) continue
      if (!this.#runs.has(candidate.release.id)) this.#begin(candidate)
    }
  }

  /** Returns when each release is due, by its ID, as Unix time in milliseconds. */
  async #dueOf(candidates: readonly Candidate[]): Promise<Map<string, number>> {
    if (candidates.length === 0) return new Map()
    const ids = candidates.map(({ release }) => release.id)
    const proofs = await this.#parts.catalog.store.proofs(ids)
    const byRelease = Map.groupBy(proofs, ({ releaseId }) => releaseId)
    return new Map(
      candidates.map(({ release: { id, artifacts } }) => {
        const known = byRelease.get(id) ?? []
        const isNew = known.length < artifacts.length
        const at = isNew ? 0 : Math.min(...known.map(({ dueAt }) => Date.parse(dueAt)))
        return [id, Math.max(at, this.#putOff.get(id) ?? 0)]
      }),
    )
  }

  #begin({ channel, release }: Candidate): void {
    const { catalog, prove } = this.#parts
    const putOff = () => this.#putOff.set(release.id, catalog.now() + PUT_OFF)
    this.#putOff.delete(release.id)
    const run = prove(channel, release)
      .then(
        (end) => {
          this.#failed = false
          if (end === 'canceled') putOff()
        },
        (error) => {
          putOff()
          this.#fail(error)
        },
      )
      .finally(() => {
        this.#runs.delete(release.id)
        // What was due meanwhile was left alone.
        this.#nextDue = Number.NEGATIVE_INFINITY
      })
    this.#runs.set(release.id, { app: channel.record.appKey, ended: run })
  }

  #countOf(app: number): number {
    return [...this.#runs.values()].filter((run) => run.app === app).length
  }

  #fail(error: unknown): void {
    this.#failed = true
    this.#parts.onFailure(error)
  }
}

/** Releases that wait for their proof are proven whatever the policy is now. */
function candidatesOf({ apps }: Snapshot): Candidate[] {
  return apps
    .filter(({ record }) => record.archivedAt === null)
    .flatMap(({ channels }) => [...channels.values()])
    .flatMap((channel) =>
      releasesToProve(channel)
        .filter(({ facts }) => facts.awaitsProof || channel.record.policy.proving !== 'off')
        .map(({ facts }) => ({ channel, release: facts })),
    )
}
