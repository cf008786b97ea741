import { type Command, InvalidArgumentError } from 'commander'
import type { DecisionResult } from '../../../shared/console/command-line.ts'
import { UpdaterClient } from '../../../shared/files/updater.ts'
import {
  Arch,
  BundleKind,
  DeviceId,
  InstalledVersion,
  LabelKey,
  LabelValue,
  Platform,
  SystemVersion,
} from '../../../shared/names.ts'
import {
  causePhrase,
  noteSentence,
  OUTCOME_LABELS,
  outcomeSentence,
} from '../../../shared/wording/explanation.ts'
import { UsageError } from '../command/errors.ts'
import { addServerCommand, type CommandOptions, onServer } from '../command/options.ts'
import { labelsInWords, print, printAnswer, printTable, runningInWords } from '../command/output.ts'
import { several, valid } from '../command/valid.ts'
import { DeviceDocument, ExplanationDocument, ForgottenDocument } from '../documents/documents.ts'
import { text as common } from '../strings/common.ts'
import { text } from '../strings/device.ts'

const words = text.device
const explaining = text.explain

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
    .action(explain)

  addServerCommand(device, 'forget', words.forget, ForgottenDocument)
    .argument('<app>', common.appArgument)
    .argument('<id>', common.deviceArgument, valid(DeviceId))
    .action(forget)
}

async function show(app: string, deviceId: string, options: CommandOptions): Promise<void> {
  const device = await onServer(options, (server) =>
    server.commandLine.device.query({ app, deviceId }),
  )
  const lines = text.shown({
    ...device,
    channel: device.channel ?? common.none,
    version: runningInWords(device.version),
    platform: systemInWords(device),
    labels: labelsInWords(device.labels),
  })
  printAnswer(options, DeviceDocument, { device }, lines)
}

/** Forgets a device, and resolves once none of its data is stored. */
async function forget(app: string, deviceId: string, options: CommandOptions): Promise<void> {
  const forgotten = await onServer(options, (server) =>
    server.devices.forget.mutate({ app, deviceId }),
  )
  printAnswer(options, ForgottenDocument, forgotten, words.forgotten(deviceId, forgotten.app))
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

interface ExplainOptions extends CommandOptions {
  readonly version?: string
  readonly platform?: string
  readonly arch?: string
  readonly bundle?: string
  readonly client?: UpdaterClient
  readonly os?: string
  readonly manual?: boolean
  readonly label?: readonly (readonly [key: string, value: string])[]
}

/** `device explain`: decides as an update check would, and changes nothing. */
async function explain(app: string, channel: string, deviceId: string, options: ExplainOptions) {
  const { label = [], client, version, platform, arch, bundle, os: system, manual } = options
  const labels = Object.fromEntries(label)
  const assumed = { version, platform, arch, bundle, system, manual, labels }
  const result = await onServer(options, (server) =>
    server.commandLine.explain.query({ app, channel, deviceId, client, assumed }),
  )
  if (result.kind === 'incomplete') {
    throw new UsageError(explaining.incomplete(deviceId, LACKING[result.lacks]))
  }
  printAnswer(options, ExplanationDocument, documentOf(deviceId, result), () =>
    printExplanation(deviceId, result),
  )
}

type Explained = Extract<DecisionResult, { kind: 'explained' }>

const LACKING = {
  device: explaining.unknownDevice,
  version: explaining.unknownVersion,
  system: explaining.unknownSystem,
} as const

function documentOf(deviceId: string, { known, labels, explanation, update }: Explained) {
  const { app, channel, version, platform, arch, bundle, reason, candidates } = explanation
  return {
    ...{ app, channel },
    device: { known, deviceId, version, platform, arch, bundle, labels },
    ...{ reason, update },
    trace: candidates.map((candidate) => ({
      version: candidate.version,
      outcome: candidate.outcome,
      detail: causePhrase(candidate),
    })),
  }
}

function printExplanation(deviceId: string, { known, labels, explanation }: Explained): void {
  const { app, channel, version, platform, arch, bundle, candidates, notes } = explanation
  const who = explaining.device(deviceId, known)
  const system = [platform, arch, bundle].filter((part) => part !== '').join(' ')
  print(explaining.subject(who, version, system, labelsInWords(labels), `${app}/${channel}`))
  print(outcomeSentence(explanation))
  for (const note of notes) print(noteSentence(note, explanation))
  if (candidates.length === 0) return
  print('')
  printTable(
    explaining.headings,
    candidates.map((candidate) => [
      candidate.version,
      OUTCOME_LABELS[candidate.outcome].toLowerCase(),
      causePhrase(candidate),
    ]),
    '',
  )
}
