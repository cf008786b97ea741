import { type Command, InvalidArgumentError } from 'commander'
import { Arch, DeviceId, LabelKey, LabelValue, Platform, Version } from '../../shared/names.ts'
import type { DataOptions } from './data-folder.ts'
import type { ExplainOptions } from './explain.ts'
import { addCommand, addReadCommand, type ReadOptions, several, valid } from './options.ts'
import { labelsInWords, print, printJson, runningInWords } from './output.ts'
import { text as common } from './strings/common.ts'
import { text } from './strings/device.ts'

const words = text.device

/** `device show`, `device explain`, `device forget`. */
export function addDeviceCommands(program: Command): void {
  const device = program.command('device').description(words.description)

  addReadCommand(device, 'show', words.show)
    .argument('<app>', common.appArgument)
    .argument('<id>', common.deviceArgument, valid(DeviceId))
    .action(show)

  addReadCommand(device, 'explain', words.explain)
    .argument('<app>', common.appArgument)
    .argument('<channel>', common.channelArgument)
    .argument('<id>', common.deviceArgument, valid(DeviceId))
    .option('--version <version>', words.assumedVersion, valid(Version))
    .option('--platform <platform>', words.assumedPlatform, valid(Platform))
    .option('--arch <arch>', words.assumedArch, valid(Arch))
    .option('--label <key=value>', words.assumedLabel, several(readLabel))
    .action(async (app: string, channel: string, id: string, options: ExplainOptions) => {
      const { explain } = await import('./explain.ts')
      await explain(app, channel, id, options)
    })

  addCommand(device, 'forget', words.forget)
    .argument('<app>', common.appArgument)
    .argument('<id>', common.deviceArgument, valid(DeviceId))
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
  const lines = text.shown({
    ...device,
    channel: device.channel ?? common.none,
    version: runningInWords(device.version),
    platform: systemInWords(device),
    labels: labelsInWords(device.labels),
  })
  for (const line of lines) print(line)
}

function systemInWords({ platform, arch }: { platform: string; arch: string }): string {
  const parts = [platform, arch].filter((part) => part !== '')
  return [...new Set(parts.map(runningInWords))].join(' ') || common.none
}

function readLabel(text: string): readonly [key: string, value: string] {
  const mark = text.indexOf('=')
  if (mark === -1) throw new InvalidArgumentError(words.labelForm)
  return [valid(LabelKey)(text.slice(0, mark)), valid(LabelValue)(text.slice(mark + 1))]
}
