import type { ChannelPolicy, UpdateMode } from '../../shared/channel.ts'

interface Words {
  readonly name: string
  readonly meaning: string
}

export const UPDATE_MODE_WORDS: Readonly<Record<UpdateMode, Words>> = {
  optional: { name: 'Optional', meaning: 'The app may let people put an update off.' },
  required: { name: 'Required', meaning: 'The app is told that every update must be installed.' },
}

export const ROLLBACK_WORDS: Readonly<Record<ChannelPolicy['rollback'], Words>> = {
  downgrade: {
    name: 'Send down',
    meaning: 'Devices on a version that was rolled back are sent to the newest lower one.',
  },
  'roll-forward': {
    name: 'Roll forward',
    meaning:
      'Devices on a version that was rolled back are sent to a newer one; only where there is none, down.',
  },
}
