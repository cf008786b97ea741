import { PRESET_WORDS } from '../strings.ts'
import type { RolloutMode } from './rollout-draft.ts'

/** How a release is rolled out, to choose from. */
export const text = {
  modes: 'How to roll out',
  recommended: 'Recommended',
  customize: 'Customize steps',
  ringsNeedEarlyAccess:
    'Add the rings to the early access of the channel first, so that all their devices are offered the release.',
} as const

export const MODE_WORDS: Readonly<
  Record<RolloutMode, { readonly name: string; readonly meaning: string }>
> = {
  ...PRESET_WORDS,
  custom: { name: 'Custom plan', meaning: 'Your own steps, waits, conditions and windows' },
  everyone: {
    name: 'Everyone at once',
    meaning: 'All devices are offered the release right away. Nothing stops it by itself.',
  },
  manual: {
    name: 'By hand',
    meaning: 'You choose a percentage and raise it yourself. Nothing stops it by itself.',
  },
}
