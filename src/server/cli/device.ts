import { type Command, InvalidArgumentError } from 'commander'
import {
  Arch,
  BundleKind,
  DeviceId,
  InstalledVersion,
  LabelKey,
  LabelValue,
  Platform,
  SystemVersion,
} from '../../shared/names.ts'
import { UpdaterClient } from '../../shared/release-check.ts'
import { DeviceDocument, ExplanationDocument, ForgottenDocument } from './documents/documents.ts'
import type { ExplainOptions } from './explain.ts'
import { addServerCommand, type CommandOptions, several, valid } from './options.ts'
import { labelsInWords, print, printJson, runningInWords } from './output.ts'
import { text as common } from './strings/common.ts'
import { text } from './strings/device.ts'

const words = text.device

/** `device show`, `device explain`, `device forget`. */
export function addDeviceCommands(program: Command): void {
  const device = program.command('device').description(words.description)

  addServerCommand(device, 'show', words.show, DeviceDocument)
    .argument('<app>', common.appArgument)
    .argument('<id>', common.deviceArgument, valid(DeviceId))
    .action(show)

  addServerCommand(device, 'explain', words.explain, ExplanationDocument)
    .argument('<app>', common.appArgument)
    .argument('<channel>', common.channelArgument)
    .argument('<id>', common.deviceArgument, valid(DeviceId))
    .option('--client <client>', words.client(UpdaterClient.options), valid(UpdaterClient))
    .option('--version <version>', words.assumedVersion, valid(InstalledVersion))
    .option('--platform <platform>', words.assumedPlatform, valid(Platform))
    .option('--arch <arch>', words.assumedArch, valid(Arch))
    .option('--bundle <kind>', words.assumedBundle, valid(BundleKind))
    .option('--os <version>', words.assumedSystem, valid(SystemVersion))
    .option('--label <key=value>', words.assumedLabel, several(readLabel))
    .option('--manual', words.assumedManual)
    .action(async (app: string, channel: string, id: string, options: ExplainOptions) => {
      const { explain } = await import('./explain.ts')
      await explain(app, channel, id, options)
    })

  addServerCommand(device, 'forget', words.forget, ForgottenDocument)
    .argument('<app>', common.appArgument)
    .argument('<id>', common.deviceArgument, valid(DeviceId))
    .action(forget)
}

async function show(app: string, deviceId: string, options: CommandOptions): Promise<void> {
  const { withServer } = await import('./server/connect.ts')
  const device = await withServer(options, (server) =>
    server.commandLine.device.query({ app, deviceId }),
  )
  if (options.json) {
    printJson(DeviceDocument, { device })
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

/** Forgets a device, and resolves once none of its data is stored. */
async function forget(app: string, deviceId: string, options: CommandOptions): Promise<void> {
  const { withServer } = await import('./server/connect.ts')
  const forgotten = await withServer(options, (server) =>
    server.devices.forget.mutate({ app, deviceId }),
  )
  if (options.json) printJson(ForgottenDocument, forgotten)
  else print(text.device.forgotten(deviceId, forgotten.app))
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
