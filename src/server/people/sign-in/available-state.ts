import { temporarily } from '../../catalog/errors.ts'
import type { SignInState } from './sign-in-state.ts'

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
