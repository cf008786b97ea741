import type { DeviceEvent } from '../../shared/console/devices.ts'

export const timelineText = {
  title: 'Updates',
  list: 'Offers and outcomes, latest first',
  none: 'No offers or outcomes recorded. They appear here once the device is offered a release.',
  since: 'From check-ins since',
  outcomeOk: 'App reported that the update works:',
  outcomeFailed: 'App reported that the update failed:',
} as const

/** What each event is called, and whether it is good. */
export const EVENT_WORDS: Readonly<
  Record<DeviceEvent['kind'], { readonly words: string; readonly tone: 'good' | 'bad' | 'quiet' }>
> = {
  offered: { words: 'Offered', tone: 'quiet' },
  sent_back: { words: 'Told to go back from', tone: 'quiet' },
  outcome: { words: 'App reported an outcome:', tone: 'quiet' },
  adopted: { words: 'Adopted', tone: 'good' },
  stuck: { words: 'Stuck below', tone: 'bad' },
  reverted: { words: 'Went back below', tone: 'bad' },
  reported: { words: 'Counted as failed on', tone: 'bad' },
}

/** Returns what happened, to be followed by the version of the release. */
export function eventInWords({ kind, outcome }: DeviceEvent): string {
  if (outcome === 'ok') return timelineText.outcomeOk
  if (outcome === 'failed') return timelineText.outcomeFailed
  return EVENT_WORDS[kind].words
}
