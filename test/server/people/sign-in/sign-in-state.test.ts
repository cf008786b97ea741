import { signInStateInMemory } from '../../../../src/server/people/sign-in/sign-in-state.ts'
import { signInStateContract } from '../sign-in-state.contract.ts'

signInStateContract('the state of sign-ins in memory', async () => {
  const state = signInStateInMemory({ clock: () => 0, limitsClock: () => 0 })
  return { one: state, other: state, close: async () => {} }
})
