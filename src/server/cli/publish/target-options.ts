import { type Command, InvalidArgumentError } from 'commander'
import { issueOf } from '../../../shared/issue.ts'
import { Targets } from '../../../shared/targets.ts'
import { UsageError } from '../errors.ts'
import { FileName, several, valid } from '../options.ts'
import { readTargetsFile } from '../release/release-files.ts'
import { text } from '../strings/publish.ts'

type Label = readonly [key: string, value: string]

/** Which devices a release targets. */
export interface TargetOptions {
  readonly targets?: readonly Label[]
  readonly targetsFile?: string
}

/** Adds `--targets` and `--targets-file`. */
export function addTargetOptions(command: Command): Command {
  return command
    .option('--targets <key=value>', text.targets, several(readLabel))
    .option('--targets-file <file>', text.targetsFile, valid(FileName))
}

/** Returns the targets of the options; undefined if neither is given. Throws `UsageError`, and `Failure` for the file. */
export function targetsOf({ targets: labels, targetsFile }: TargetOptions): Targets | undefined {
  if (labels !== undefined && targetsFile !== undefined) throw new UsageError(text.targetsTwice)
  if (targetsFile !== undefined) return readTargetsFile(targetsFile)
  if (labels === undefined) return undefined
  const values = Map.groupBy(labels, ([key]) => key)
  const matchLabels = Object.fromEntries(
    [...values].map(([key, same]) => [key, same.map(([, value]) => value)]),
  )
  const result = Targets.safeParse({ matchLabels })
  if (result.success) return result.data
  const { path, reason } = issueOf(result.error, undefined)
  throw new UsageError(text.wrongTargets(path.slice(1).join('.'), reason))
}

/** Reads `key=value`. */
export function readLabel(typed: string): Label {
  const mark = typed.indexOf('=')
  if (mark < 1) throw new InvalidArgumentError(text.targetForm)
  return [typed.slice(0, mark), typed.slice(mark + 1)]
}
