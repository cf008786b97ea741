import { randomBytes } from 'node:crypto'
import { temporarily } from '../../catalog/errors.ts'
import { type AttemptStore, attemptsInMemory } from './attempts.ts'
import { KEY_BYTES } from './sealed.ts'

/** Something that is kept for a while. */
export interface NewEntry {
  readonly value: string
  /** Whom it belongs to, for `maximum` and `held`. */
  readonly owner: string
  /** Milliseconds that it is kept. */
  readonly time: number
  /** Maximum number of entries of the owner: what ends first makes room. No maximum by default. */
  readonly maximum?: number | undefined
}

export interface Held {
  readonly count: number
  /** Milliseconds until the first of them ends; 0 if there is none. */
  readonly endsIn: number
}

/**
 * Entries with an end, by name. What is over does not exist. Each operation is atomic, also among servers. Add only what
 * somebody had to prove something for: then strangers cannot make it grow.
 */
export interface SignInEntries {
  /** Keeps an entry. Resolves to false, and changes nothing, if there is one of that name. */
  add(name: string, entry: NewEntry): Promise<boolean>
  get(name: string): Promise<string | undefined>
  /** Changes the value if it is `before`, kept for `time` milliseconds or as long as it was. Resolves to false if it is not. */
  replace(name: string, before: string, after: string, time?: number): Promise<boolean>
  remove(name: string): Promise<void>
  held(owner: string): Promise<Held>
}

/** What sign-ins leave for their next step, which may reach another server. Rejects if the storage does not answer. */
export interface SignInState {
  readonly entries: SignInEntries
  readonly attempts: AttemptStore
  /** Returns the 32 bytes that seal what the caller keeps: the same for all servers that share the state. */
  sealingKey(): Promise<Buffer>
}

/** Changes a value by `work`, anew if somebody else changed it. `work` returns undefined to leave it. Resolves to the kept value. */
export async function changeEntry(
  entries: SignInEntries,
  name: string,
  work: (value: string) => { readonly value: string; readonly time?: number } | undefined,
): Promise<string | undefined> {
  for (;;) {
    const before = await entries.get(name)
    if (before === undefined) return undefined
    const after = work(before)
    if (after === undefined || after.value === before) return before
    if (await entries.replace(name, before, after.value, after.time)) return after.value
  }
}

/** Returns the same state, which throws `Unavailable` while the storage does not answer. */
export function availableState(state: SignInState): SignInState {
  const { entries, attempts } = state
  return {
    entries: {
      add: (name, entry) => temporarily(() => entries.add(name, entry)),
      get: (name) => temporarily(() => entries.get(name)),
      replace: (name, before, after, time) =>
        temporarily(() => entries.replace(name, before, after, time)),
      remove: (name) => temporarily(() => entries.remove(name)),
      held: (owner) => temporarily(() => entries.held(owner)),
    },
    attempts: {
      take: (counted) => temporarily(() => attempts.take(counted)),
      giveBack: (counted) => temporarily(() => attempts.giveBack(counted)),
    },
    sealingKey: () => state.sealingKey(),
  }
}

interface Clocks {
  /** Unix milliseconds. */
  readonly clock: () => number
  /** Monotonic clock of the limits, in milliseconds. */
  readonly limitsClock?: (() => number) | undefined
}

/** Returns what sign-ins leave in this process: whoever began one begins again after a restart. */
export function signInStateInMemory({ clock, limitsClock }: Clocks): SignInState {
  const key = randomBytes(KEY_BYTES)
  return {
    entries: entriesInMemory(clock),
    attempts: attemptsInMemory({ clock: limitsClock }),
    sealingKey: async () => key,
  }
}

interface Kept {
  value: string
  readonly owner: string
  until: number
}

function entriesInMemory(clock: () => number): SignInEntries {
  const all = new Map<string, Kept>()
  /** Those of an owner; what ends first is first. */
  const of = (owner: string) =>
    [...all]
      .filter(([, kept]) => kept.owner === owner)
      .sort(([, one], [, other]) => one.until - other.until)
  const at = (name: string) => {
    const kept = all.get(name)
    return kept !== undefined && kept.until > clock() ? kept : undefined
  }
  function makeRoom(owner: string, maximum: number): void {
    let count = 0
    for (const kept of all.values()) if (kept.owner === owner) count += 1
    if (count < maximum) return
    for (const [name] of of(owner).slice(0, count - maximum + 1)) all.delete(name)
  }
  return {
    async add(name, { value, owner, time, maximum }) {
      const now = clock()
      for (const [other, { until }] of all) if (until <= now) all.delete(other)
      if (all.has(name)) return false
      if (maximum !== undefined) makeRoom(owner, maximum)
      all.set(name, { value, owner, until: now + time })
      return true
    },
    get: async (name) => at(name)?.value,
    async replace(name, before, after, time) {
      const kept = at(name)
      if (kept?.value !== before) return false
      kept.value = after
      if (time !== undefined) kept.until = clock() + time
      return true
    },
    async remove(name) {
      all.delete(name)
    },
    async held(owner) {
      const now = clock()
      const ends = of(owner).flatMap(([, { until }]) => (until > now ? [until - now] : []))
      return { count: ends.length, endsIn: ends[0] ?? 0 }
    },
  }
}
