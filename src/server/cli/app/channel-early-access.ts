import type { Command } from 'commander'
import { z } from 'zod'
import { parsedBy } from '../../../shared/issue.ts'
import { DeviceId } from '../../../shared/names.ts'
import { EarlyAccess } from '../../../shared/releases/channel.ts'
import { Targets } from '../../../shared/releases/targets.ts'
import { UsageError } from '../command/errors.ts'
import { addServerCommand, type CommandOptions, onServer } from '../command/options.ts'
import { printAnswer } from '../command/output.ts'
import { FileName, several, valid } from '../command/valid.ts'
import { EarlyAccessDocument } from '../documents/documents.ts'
import { readLabel } from '../publish/publish-options.ts'
import { readJson } from '../release/release-files.ts'
import { text } from '../strings/catalog.ts'
import { text as common } from '../strings/common.ts'

const words = text.channel.earlyAccess

type Label = readonly [key: string, value: string]

interface EarlyAccessOptions extends CommandOptions {
  readonly addDevice?: readonly string[]
  readonly removeDevice?: readonly string[]
  readonly addLabel?: readonly Label[]
  readonly removeLabel?: readonly Label[]
  readonly targetsFile?: string
}

/** `channel early-access`. */
export function addEarlyAccessCommand(channel: Command): void {
  addServerCommand(channel, 'early-access', words.description, EarlyAccessDocument)
    .argument('<app>', common.appArgument)
    .argument('<channel>', common.channelArgument)
    .option('--add-device <id>', words.addDevice, several(valid(DeviceId)))
    .option('--remove-device <id>', words.removeDevice, several(valid(DeviceId)))
    .option('--add-label <key=value>', words.addLabel, several(readLabel))
    .option('--remove-label <key=value>', words.removeLabel, several(readLabel))
    .option('--targets-file <file>', words.targetsFile, valid(FileName))
    .action(earlyAccess)
}

async function earlyAccess(app: string, channel: string, options: EarlyAccessOptions) {
  const targets = targetsIn(options)
  const list = await onServer(options, async (server) => {
    const { policy, lastChange: seenChange } = await server.channels.policy.query({ app, channel })
    const { earlyAccess: before } = policy
    const after = changed({ ...before, targets: targets ?? before.targets }, options)
    // A change of nothing writes nothing, and needs the right to change.
    if (JSON.stringify(after) === JSON.stringify(before)) return before
    const change = { app, channel, policy: { earlyAccess: after }, seenChange }
    await server.channels.setPolicy.mutate(change)
    return after
  })
  const lines = words.lines(list.deviceIds, list.targets.map(inOneWord))
  printAnswer(options, EarlyAccessDocument, { app, channel, earlyAccess: list }, lines)
}

/** The targets of a file, which take the place of all; undefined without one. */
function targetsIn({ targetsFile }: EarlyAccessOptions): Targets[] | undefined {
  if (targetsFile === undefined) return undefined
  return readJson('--targets-file', targetsFile, z.array(Targets))
}

function changed(before: EarlyAccess, options: EarlyAccessOptions): EarlyAccess {
  const { addDevice = [], removeDevice = [], addLabel = [], removeLabel = [] } = options
  const gone = new Set(removeLabel.map(nameOf))
  const kept = before.targets.filter((targets) => !gone.has(inOneWord(targets)))
  const known = new Set(kept.map(inOneWord))
  const added = addLabel
    .filter((label) => !known.has(nameOf(label)))
    .map(([key, value]) => ({ matchLabels: { [key]: value }, matchExpressions: [] }))
  const ids = before.deviceIds.filter((id) => !removeDevice.includes(id))
  const list = { deviceIds: [...new Set([...ids, ...addDevice])], targets: [...kept, ...added] }
  return parsedBy(EarlyAccess, list, ({ path, reason }) => {
    return new UsageError(words.wrong(path.join('.'), reason))
  })
}

const nameOf = ([key, value]: Label) => `${key}=${value}`

/** Returns targets of one label and value as `ring=beta`, which `--remove-label` takes; others as JSON. */
function inOneWord({ matchLabels, matchExpressions }: Targets): string {
  const [label, ...more] = Object.entries(matchLabels)
  if (label !== undefined && more.length === 0 && matchExpressions.length === 0) {
    const [value, ...others] = [label[1]].flat()
    if (value !== undefined && others.length === 0) return nameOf([label[0], value])
  }
  return JSON.stringify({ matchLabels, matchExpressions })
}
