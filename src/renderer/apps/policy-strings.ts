import type { ProvingPolicy, SignatureFormat } from '../../shared/files/proof.ts'
import type { ChannelPolicy, UpdateMode } from '../../shared/releases/channel.ts'
import type { PreflightPolicy } from '../../shared/releases/preflight-policy.ts'

interface Choice {
  readonly name: string
  readonly meaning: string
}

export const UPDATE_MODE_WORDS: Readonly<Record<UpdateMode, Choice>> = {
  optional: { name: 'Optional', meaning: 'The app may let people postpone an update.' },
  required: { name: 'Required', meaning: 'Devices must install every update.' },
}

export const PROVING_WORDS: Readonly<Record<ProvingPolicy, Choice>> = {
  off: { name: 'Off', meaning: 'Artifacts are proven when someone asks for it.' },
  warn: {
    name: 'Warn',
    meaning: 'Artifacts are proven after publishing and daily. Failures need attention.',
  },
  required: {
    name: 'Require proof',
    meaning: 'The same, and a new release is paused until all its artifacts are proven.',
  },
}

export const PREFLIGHT_WORDS: Readonly<Record<PreflightPolicy, Choice>> = {
  off: { name: 'Off', meaning: 'Preflight runs when someone asks for it.' },
  warn: { name: 'Warn', meaning: 'Preflight runs before a release is published in the console.' },
  required: {
    name: 'Require preflight',
    meaning: 'A release that fails preflight is not offered to devices, or to more of them.',
  },
}

export const SIGNATURE_FORMAT_WORDS: Readonly<Record<SignatureFormat, string>> = {
  sparkle: 'Sparkle',
  releases: 'Squirrel.Windows and Velopack',
}

export const ROLLBACK_WORDS: Readonly<Record<ChannelPolicy['rollback'], Choice>> = {
  downgrade: {
    name: 'Downgrade',
    meaning: 'Devices on a rolled-back version are offered the next lower release.',
  },
  'roll-forward': {
    name: 'Roll forward',
    meaning: 'Devices on a rolled-back version are offered a higher release, else the next lower.',
  },
}
