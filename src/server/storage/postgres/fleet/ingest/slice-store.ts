import type { CheckIn } from '../../../../fleet/check-in.ts'
import { releaseOf } from '../../../../fleet/health/packed-episode.ts'
import { DeviceTable } from '../../../shared/memory/device-table.ts'
import type { KnownProfile } from '../../../shared/memory/profile-tree.ts'
import type { Queries, Transaction } from '../../connection/queries.ts'
import { BatchDevices } from './batch-devices.ts'
import type { Fact } from './fact.ts'
import { IdBlocks } from './id-blocks.ts'
import type { KnownProfiles } from './known-profiles.ts'
import type { KnownReleases } from './known-releases.ts'
import { meetDevices, plainCheckIns } from './plain-check-ins.ts'
import { namedDevices, runningOf, type Sent, sentOf } from './slice-facts.ts'
import { SliceWork } from './slice-work.ts'
import { type ChangedLabels, holdProfiles, writeLabels, writeWork } from './slice-writes.ts'

/** The node that writes: every batch is fenced with it. */
export interface WritingNode {
  readonly id: number
  /** Of its counters. */
  readonly slot: number
}

export interface SliceStoreOptions {
  readonly node: () => WritingNode
  readonly labelBytes: number
  readonly isRolledBack: (channelKey: number, version: string) => boolean
  /** Whether a caller without a key may add a device. Called once for a check-in. */
  readonly admits: (caller: string) => boolean
  readonly onUsedUp: (budget: 'combinations' | 'labels') => void
}

export interface StoredFacts {
  readonly events: readonly CheckIn[]
  readonly labels: readonly ChangedLabels[]
}

/** Another transaction changed what this one was based on: the next attempt sees it. */
export class Outrun extends Error {}

/**
 * Stores the facts of one slice in a transaction. One call locks the rows of its devices and stores the plain check-ins: most.
 * The rules are applied to the rest, which another call writes with all changes of the counters.
 */
export class SliceStore {
  readonly #profiles: KnownProfiles
  readonly #releases: KnownReleases
  readonly #options: SliceStoreOptions
  readonly #ids: IdBlocks
  /** Of the slice that is being stored: one at a time. */
  readonly #table = new DeviceTable()

  constructor(
    queries: Queries,
    profiles: KnownProfiles,
    releases: KnownReleases,
    options: SliceStoreOptions,
  ) {
    this.#ids = new IdBlocks(queries)
    this.#profiles = profiles
    this.#releases = releases
    this.#options = options
  }

  /**
   * Stores those whose call is not refused, and refuses calls that report a device on a channel which is being removed. Rejects
   * with `Outrun` if the transaction must begin again, else with `StorageError`.
   */
  async store(tx: Transaction, given: readonly Fact[]): Promise<StoredFacts> {
    const { slot } = this.#options.node()
    const [profiles, releases] = [this.#profiles, this.#releases]
    const facts = given.filter((fact) => !isRefused(fact))
    const named = namedDevices(facts)
    // Twice: a check-in that is not plain takes another one.
    await this.#ids.reserve(0, 2 * facts.length)
    const plain = plainCheckIns(named, profiles, releases.offered, this.#ids)
    const wanted = profilesOf(facts, profiles)
    const { rows, stored, moves, waits, held } = await meetDevices(tx, named, plain, wanted)
    await releases.meet(rows.map(({ episode }) => releaseOf(episode)))
    await profiles.meet(rows.map(({ profile }) => profile))
    const devices = new BatchDevices(this.#table)
    for (const row of rows) {
      const name = named[row.place - 1]
      if (name !== undefined) devices.load(name, row, releases.offered)
    }
    const done = new Set(stored.map(({ checkIn }) => checkIn))
    const left = facts.filter((fact) => fact.kind !== 'check_in' || !done.has(fact.checkIn))
    const sent = sentOf(left, devices, profiles)
    const running = await runningOf(sent, profiles, () => this.#options.onUsedUp('combinations'))
    const used = [...running, ...stored.map((each) => each.running)]
    const gone = await holdProfiles(tx, idsOf(used), new Set(held))
    if (gone.length > 0) {
      profiles.forget(gone)
      throw new Outrun('profiles were removed')
    }
    if (refuseCalls(sent, running) && stored.length > 0) throw new Outrun('a call is refused')
    await this.#ids.reserve(named.length - stored.length, 0)
    const work = new SliceWork({
      ...{ devices, profiles, ids: this.#ids },
      releases: releases.offered,
      isRolledBack: this.#options.isRolledBack,
    })
    for (const each of stored) work.plain(each)
    for (const move of moves) work.hourMove(move)
    for (const wait of waits) work.waited(wait)
    for (const [at, { checkIn, fact }] of sent.entries()) {
      const known = running[at]
      // The channel was removed.
      if (known === undefined || isRefused(fact)) continue
      work.checkIn(checkIn, known, () => this.#mayAdd(fact))
    }
    work.rest(facts.filter((fact) => !isRefused(fact)))
    for (const device of work.added.keys()) devices.setId(device, this.#ids.device())
    if (!(await writeWork(tx, slot, work, devices))) throw new Outrun('a device was added')
    const { labelBytes, onUsedUp } = this.#options
    const labels = await writeLabels(tx, work.labels, devices, labelBytes, () => onUsedUp('labels'))
    return { events: work.events, labels }
  }

  #mayAdd(fact: Fact): boolean {
    if (fact.kind !== 'check_in') return true
    const { caller } = fact.checkIn
    fact.admitted ??= caller === undefined || this.#options.admits(caller)
    return fact.admitted
  }
}

/** Refuses the calls that report a device on a channel which is being removed. Returns whether there are any. */
function refuseCalls(
  sent: readonly Sent[],
  running: readonly (KnownProfile | undefined)[],
): boolean {
  const calls = sent.flatMap(({ fact: { call } }, at) =>
    running[at] === undefined && call !== undefined ? [call] : [],
  )
  for (const call of calls) call.isRefused = true
  return calls.length > 0
}

function idsOf(profiles: readonly (KnownProfile | undefined)[]): ReadonlySet<number> {
  return new Set(profiles.flatMap((known) => (known === undefined ? [] : [known.profile.id])))
}

/** The profiles of check-ins that are known. */
function profilesOf(facts: readonly Fact[], profiles: KnownProfiles): ReadonlySet<number> {
  return idsOf(
    facts.map((fact) =>
      fact.kind === 'check_in' ? profiles.find(fact.checkIn.profile) : undefined,
    ),
  )
}

function isRefused({ call }: Fact): boolean {
  return call?.isRefused === true
}
