import type { LabelMap } from '../../shared/names.ts'
import { requireApp, requireChannel } from '../catalog/catalog.ts'
import type { CatalogChannel } from '../catalog/snapshot.ts'
import { type DeviceFacts, decide, type TraceLine } from '../decision/decide.ts'
import { manifestOf } from '../decision/manifest.ts'
import { parseVersion } from '../decision/version.ts'
import { mergeLabels } from '../fleet/labels.ts'
import type { DeviceRecord } from '../fleet/store.ts'
import { UsageError } from './errors.ts'
import type { ReadOptions } from './options.ts'
import { outcomeInWords } from './outcome.ts'
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
  const facts = factsOf(deviceId, device, options)
  const trace: TraceLine[] = []
  const decision = decide(channel.compiled, facts, trace)
  const { reason, release } = decision
  const update =
    release === null
      ? null
      : manifestOf(
          channel.compiled,
          release,
          decision.artifact,
          facts.version,
          decision.allowDowngrade,
        )
  const place = { app: channel.app.ref, channel: channel.record.name }
  if (options.json) {
    const { version, platform, arch, labels } = facts
    const shown = { deviceId, version: version.text, platform, arch, labels }
    printJson({
      ...place,
      device: { known: device !== undefined, ...shown },
      reason,
      update,
      trace,
    })
    return
  }
  print(inWords(channel, device, facts))
  print(outcomeInWords(channel, facts, reason, trace, update))
  if (trace.length === 0) return
  print('')
  printTable(
    ['CANDIDATE', 'OUTCOME', 'BECAUSE'],
    trace.map(({ version, outcome, detail }) => [version, outcome.replaceAll('_', ' '), detail]),
    '',
  )
}

/** What is stored of the device, and over it what the options say. */
function factsOf(
  deviceId: string,
  device: DeviceRecord | undefined,
  options: ExplainOptions,
): DeviceFacts {
  const version = options.version ?? device?.profile.version
  // A report may leave out both.
  const platform = options.platform ?? (device?.profile.platform || undefined)
  const arch = options.arch ?? (device?.profile.arch || undefined)
  if (version === undefined || platform === undefined || arch === undefined) {
    const lacks = device === undefined ? 'is not known' : 'has never said its platform and arch'
    const mend = 'give --version, --platform and --arch to ask as if it were'
    throw new UsageError(`device "${deviceId}" ${lacks}; ${mend}`)
  }
  const given: LabelMap = Object.fromEntries(options.label ?? [])
  const { labels } = mergeLabels(device?.labels ?? {}, given)
  return { deviceId, version: parseVersion(version), platform, arch, labels }
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
