import {
  causePhrase,
  noteSentence,
  OUTCOME_LABELS,
  outcomeSentence,
} from '../../shared/wording/explanation.ts'
import { requireApp, requireChannel } from '../catalog/catalog.ts'
import type { CatalogChannel } from '../catalog/snapshot.ts'
import type { DeviceFacts } from '../decision/decide.ts'
import { factsOf } from '../fleet/devices/device-facts.ts'
import type { DeviceRecord } from '../fleet/facts.ts'
import { explainDecision } from '../updates/explanation.ts'
import { UsageError } from './errors.ts'
import type { ReadOptions } from './options.ts'
import { labelsInWords, print, printJson, printTable } from './output.ts'
import { withFleet } from './session.ts'

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
  const { channel, device } = await withFleet(options, async ({ snapshot }, fleet) => {
    const channel = requireChannel(requireApp(snapshot, app), channelName)
    return { channel, device: await fleet.device(channel.app.key, deviceId) }
  })
  const facts = requireFacts(deviceId, device, options)
  const explained = explainDecision(channel, facts)
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
  print(inWords(channel, device, facts))
  print(outcomeSentence(explained))
  for (const note of notes) print(noteSentence(note, explained))
  if (candidates.length === 0) return
  print('')
  printTable(
    ['CANDIDATE', 'OUTCOME', 'BECAUSE'],
    candidates.map((candidate) => [
      candidate.version,
      OUTCOME_LABELS[candidate.outcome].toLowerCase(),
      causePhrase(candidate),
    ]),
    '',
  )
}

function requireFacts(
  deviceId: string,
  device: DeviceRecord | undefined,
  { label = [], ...assumed }: ExplainOptions,
): DeviceFacts {
  const known = device && { ...device.profile, labels: device.labels }
  const facts = factsOf(deviceId, known, { ...assumed, labels: Object.fromEntries(label) })
  // A report may leave out both.
  if (facts !== undefined && facts.platform !== '' && facts.arch !== '') return facts
  const lacks =
    device === undefined
      ? 'is not known'
      : facts === undefined
        ? 'is counted as other, so its version is unknown'
        : 'has no known platform and arch'
  const fix = 'give --version, --platform and --arch to ask as if it were'
  throw new UsageError(`device "${deviceId}" ${lacks}; ${fix}`)
}

function inWords(
  { app, record }: CatalogChannel,
  device: DeviceRecord | undefined,
  { deviceId, version, platform, arch, labels }: DeviceFacts,
): string {
  const who = `${device === undefined ? 'Unknown device' : 'Device'} ${deviceId}`
  const runs = `${version.text} on ${platform} ${arch}, ${labelsInWords(labels)}`
  return `${who}: ${runs}; asks ${app.ref}/${record.name}.`
}
