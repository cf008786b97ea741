import {
  causePhrase,
  noteSentence,
  OUTCOME_LABELS,
  outcomeSentence,
} from '../../shared/wording/explanation.ts'
import type { CatalogChannel } from '../catalog/snapshot.ts'
import type { DeviceFacts } from '../decision/device.ts'
import {
  type DeviceExplanation,
  explainDevice,
  type NotExplained,
} from '../updates/explain-device.ts'
import { UsageError } from './errors.ts'
import type { ReadOptions } from './options.ts'
import { labelsInWords, print, printJson, printTable } from './output.ts'
import { commandLinePrincipal, withFleet } from './session.ts'
import { text } from './strings/device.ts'

const words = text.explain

export interface ExplainOptions extends ReadOptions {
  readonly version?: string
  readonly platform?: string
  readonly arch?: string
  readonly label?: readonly (readonly [key: string, value: string])[]
}

/** `device explain`: decides as an update check would, and changes nothing. */
export async function explain(
  app: string,
  channelName: string,
  deviceId: string,
  options: ExplainOptions,
): Promise<void> {
  const { label = [], ...assumed } = options
  const query = {
    ...{ app, deviceId, channel: channelName },
    assumed: { ...assumed, labels: Object.fromEntries(label) },
  }
  const result = await withFleet(options, (catalog, fleet) => {
    const findDevice = (appKey: number, id: string) => fleet.device(appKey, id)
    return explainDevice({ catalog, findDevice }, commandLinePrincipal(), query)
  })
  const { channel, device, facts, explained } = requireExplanation(deviceId, result)
  const { reason, update, candidates, notes } = explained
  const place = { app: channel.app.ref, channel: channel.record.name }
  if (options.json) {
    const { version, platform, arch, labels } = facts
    const shown = { deviceId, version: version.text, platform, arch, labels }
    printJson({
      ...place,
      device: { known: device !== undefined, ...shown },
      reason,
      update,
      trace: candidates.map((candidate) => ({
        version: candidate.version,
        outcome: candidate.outcome,
        detail: causePhrase(candidate),
      })),
    })
    return
  }
  print(inWords(words.device(deviceId, device !== undefined), channel, facts))
  print(outcomeSentence(explained))
  for (const note of notes) print(noteSentence(note, explained))
  if (candidates.length === 0) return
  print('')
  printTable(
    words.headings,
    candidates.map((candidate) => [
      candidate.version,
      OUTCOME_LABELS[candidate.outcome].toLowerCase(),
      causePhrase(candidate),
    ]),
    '',
  )
}

function requireExplanation(
  deviceId: string,
  result: DeviceExplanation | NotExplained,
): DeviceExplanation {
  // A report may leave out both.
  const isComplete = 'facts' in result && result.facts.platform !== '' && result.facts.arch !== ''
  if (isComplete) return result
  throw new UsageError(words.incomplete(deviceId, missingFrom(result)))
}

function missingFrom(result: DeviceExplanation | NotExplained): string {
  if ('lacks' in result && result.lacks === 'version') {
    return words.unknownVersion
  }
  const isKnown = 'device' in result && result.device !== undefined
  return isKnown ? words.unknownSystem : words.unknownDevice
}

function inWords(
  who: string,
  { app, record }: CatalogChannel,
  { version, platform, arch, labels }: DeviceFacts,
): string {
  return words.subject(
    who,
    version.text,
    `${platform} ${arch}`,
    labelsInWords(labels),
    `${app.ref}/${record.name}`,
  )
}
