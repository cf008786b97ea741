import type { VersionVerdict } from '../../../shared/console/releases.ts'
import type { PublishBody } from '../../../shared/release.ts'
import { formatPercent } from '../../../shared/wording/format.ts'
import { STATUS_WORDS } from '../../components/strings.ts'
import { isEveryDevice } from '../targets/draft.ts'
import { targetsInWords } from '../targets/strings.ts'

/** Returns what publishing a version on `app/channel` would meet, as a sentence. */
export function verdictInWords(verdict: VersionVerdict, place: string): string {
  switch (verdict.state) {
    case 'free': {
      const newest = verdict.highest === null ? '' : ` The newest here is ${verdict.highest}.`
      return `This version is free.${newest}`
    }
    case 'invalid':
      return `The version ${verdict.reason}.`
    case 'duplicate': {
      const status = STATUS_WORDS[verdict.status].toLowerCase()
      return `${verdict.version} is on ${place} already (${status}).`
    }
    case 'lower':
      return `${verdict.version} is lower than ${verdict.highest}, the newest version of the channel. Devices on newer versions will not be offered it.`
  }
}

/** Says what publishing will do, a sentence each. */
export function publishInWords(body: PublishBody): string[] {
  const { app, channel, version, rolloutPct, targets, artifacts } = body
  const place = `${app}/${channel}`
  const sentences: string[] = []
  if (artifacts.length === 0) {
    sentences.push(
      `${version} will be listed on ${place}, but no device is offered it: it has no artifacts, and none can be added later.`,
    )
  } else if (rolloutPct === 0) {
    sentences.push(`${version} will be published on ${place}, and offered to no device yet.`)
  } else {
    const share = rolloutPct === 100 ? 'every device' : `${formatPercent(rolloutPct)} of devices`
    sentences.push(`${version} will be offered to ${share} on ${place}.`)
  }
  if (!isEveryDevice(targets)) sentences.push(`It is meant for these: ${targetsInWords(targets)}`)
  sentences.push('Version, notes and artifacts cannot be changed afterwards.')
  return sentences
}
