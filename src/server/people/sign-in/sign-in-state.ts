import { temporarily } from '../../catalog/errors.ts'
import type { AttemptStore } from './attempts.ts'

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

/** What an owner has. */
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
  /**
   * Changes the value if it is `before`. `time`: milliseconds that it is kept from now on; as long as it was by default.
   * Resolves to false if the value is another one by now, or over.
   */
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

/**
 * Changes a value by `work`, again if somebody else changed it meanwhile. `work` returns undefined to leave it. Resolves to
 * the value that is kept now; undefined if there is none.
 */
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
