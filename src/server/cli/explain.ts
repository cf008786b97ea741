import type { DecisionResult } from '../../shared/console/command-line.ts'
import type { UpdaterClient } from '../../shared/release-check.ts'
import {
  causePhrase,
  noteSentence,
  OUTCOME_LABELS,
  outcomeSentence,
} from '../../shared/wording/explanation.ts'
import { ExplanationDocument } from './documents/documents.ts'
import { UsageError } from './errors.ts'
import type { CommandOptions } from './options.ts'
import { labelsInWords, print, printJson, printTable } from './output.ts'
import { withServer } from './server/connect.ts'
import { text } from './strings/device.ts'

const words = text.explain

export interface ExplainOptions extends CommandOptions {
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
export async function explain(
  app: string,
  channel: string,
  deviceId: string,
  options: ExplainOptions,
): Promise<void> {
  const { label = [], client, version, platform, arch, bundle, os: system, manual } = options
  const labels = Object.fromEntries(label)
  const assumed = { version, platform, arch, bundle, system, manual, labels }
  const result = await withServer(options, (server) =>
    server.commandLine.explain.query({ app, channel, deviceId, client, assumed }),
  )
  if (result.kind === 'incomplete') {
    throw new UsageError(words.incomplete(deviceId, LACKING[result.lacks]))
  }
  if (options.json) printJson(ExplanationDocument, documentOf(deviceId, result))
  else printExplanation(deviceId, result)
}

type Explained = Extract<DecisionResult, { kind: 'explained' }>

const LACKING = {
  device: words.unknownDevice,
  version: words.unknownVersion,
  system: words.unknownSystem,
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
  const who = words.device(deviceId, known)
  const system = [platform, arch, bundle].filter((part) => part !== '').join(' ')
  print(words.subject(who, version, system, labelsInWords(labels), `${app}/${channel}`))
  print(outcomeSentence(explanation))
  for (const note of notes) print(noteSentence(note, explanation))
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
