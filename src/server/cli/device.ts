import { type Command, InvalidArgumentError } from 'commander'
import { Arch, DeviceId, LabelKey, LabelValue, Platform, Version } from '../../shared/names.ts'
import type { DataOptions } from './data-folder.ts'
import type { ExplainOptions } from './explain.ts'
import { addCommand, addReadCommand, type ReadOptions, several, valid } from './options.ts'
import { labelsInWords, print, printJson, runningInWords } from './output.ts'

/** `device show`, `device explain`, `device forget`. */
export function addDeviceCommands(program: Command): void {
  const device = program
    .command('device')
    .description('show a device, explain its update decision, or forget it')

  addReadCommand(device, 'show', 'show what is known of a device')
    .argument('<app>', 'app, by ref or id')
    .argument('<id>', 'identifier of the device', valid(DeviceId))
    .action(show)

  addReadCommand(device, 'explain', 'say what a device is told on a channel, and why')
    .argument('<app>', 'app, by ref or id')
    .argument('<channel>', 'name of the channel')
    .argument('<id>', 'identifier of the device', valid(DeviceId))
    .option('--version <version>', 'as if it ran this version', valid(Version))
    .option('--platform <platform>', 'as if it ran on this platform', valid(Platform))
    .option('--arch <arch>', 'as if it had this architecture', valid(Arch))
    .option(
      '--label <key=value>',
      'as if it had this label, an empty value for none; repeatable',
      several(readLabel),
    )
    .action(async (app: string, channel: string, id: string, options: ExplainOptions) => {
      const { explain } = await import('./explain.ts')
      await explain(app, channel, id, options)
    })

  addCommand(device, 'forget', 'permanently delete a device, its labels and its history')
    .argument('<app>', 'app, by ref or id')
    .argument('<id>', 'identifier of the device', valid(DeviceId))
    .action(async (app: string, id: string, options: DataOptions) => {
      const { forget } = await import('./device-forget.ts')
      await forget(app, id, options)
    })
}

async function show(named: string, deviceId: string, options: ReadOptions): Promise<void> {
  const { withFleet } = await import('./session.ts')
  const { requireApp } = await import('../catalog/catalog.ts')
  const { Refusal } = await import('../catalog/errors.ts')
  const device = await withFleet(options, async ({ snapshot }, fleet) => {
    const app = requireApp(snapshot, named).record
    const found = await fleet.device(app.key, deviceId)
    if (found === undefined) {
      throw new Refusal({ code: 'unknown_device', app: app.ref, deviceId })
    }
    const { profile, labels, firstSeen, lastSeen } = found
    const { version, platform, arch } = profile
    return {
      app: app.ref,
      deviceId,
      channel: snapshot.channelByKey.get(profile.channelKey)?.record.name ?? null,
      ...{ version, platform, arch, labels },
      firstSeen: new Date(firstSeen).toISOString(),
      lastSeen: new Date(lastSeen).toISOString(),
    }
  })
  if (options.json) {
    printJson({ device })
    return
  }
  print(`device      ${device.deviceId} of ${device.app}`)
  print(`channel     ${device.channel ?? '-'}`)
  print(`version     ${runningInWords(device.version)}`)
  print(`platform    ${systemInWords(device)}`)
  print(`labels      ${labelsInWords(device.labels)}`)
  print(`first seen  ${device.firstSeen}`)
  print(`last seen   ${device.lastSeen}`)
}

function systemInWords({ platform, arch }: { platform: string; arch: string }): string {
  const parts = [platform, arch].filter((part) => part !== '')
  return [...new Set(parts.map(runningInWords))].join(' ') || '-'
}

function readLabel(text: string): readonly [key: string, value: string] {
  const mark = text.indexOf('=')
  if (mark === -1) throw new InvalidArgumentError('It must be written as key=value.')
  return [valid(LabelKey)(text.slice(0, mark)), valid(LabelValue)(text.slice(mark + 1))]
}
