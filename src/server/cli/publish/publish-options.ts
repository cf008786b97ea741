import { type Command, InvalidArgumentError } from 'commander'
import { parsedBy } from '../../../shared/issue.ts'
import { Arch, BundleKind, Platform } from '../../../shared/names.ts'
import { Targets } from '../../../shared/releases/targets.ts'
import type { StagedManifest } from '../../../shared/wording/artifacts.ts'
import { UsageError } from '../command/errors.ts'
import { FileName, percentage, several, valid } from '../command/valid.ts'
import { readTargetsFile } from '../release/release-files.ts'
import { text } from '../strings/publish.ts'

export interface FileOption {
  readonly platform: string
  readonly arch: string
  /** The kind of bundle; undefined if it is to be read from the name of the file. */
  readonly kind: string | undefined
  readonly path: string
}

/** Reads the option `--file`: `windows/x86_64=dist/Editor-setup.exe`, `linux/x86_64/deb=dist/editor.deb`. */
export function readFileOption(typed: string): FileOption {
  const [, platform = '', arch = '', kind, path = ''] =
    /^([^/=]*)\/([^/=]*)(?:\/([^/=]*))?=(.+)$/s.exec(typed) ?? []
  if (path === '') throw new InvalidArgumentError(text.fileForm)
  for (const [schema, name] of [
    [Platform, platform],
    [Arch, arch],
    [BundleKind, kind],
  ] as const) {
    if (name === undefined) continue
    parsedBy(schema, name, ({ reason }) => new InvalidArgumentError(text.wrongName(name, reason)))
  }
  return {
    platform: platform.toLowerCase(),
    arch: arch.toLowerCase(),
    kind: kind?.toLowerCase(),
    path,
  }
}

/** The rollout that `--rollout` names: a percentage, or that of the manifests. */
export type RolloutOption = number | 'manifest'

export function readRolloutOption(typed: string): RolloutOption {
  return typed === 'manifest' ? 'manifest' : percentage(typed)
}

/**
 * Returns the rollout of a release, undefined where nothing names one, and the manifests whose percentage is ignored. `staged` are the manifests
 * with a `stagingPercentage`, which is not served: devices would be drawn twice. It becomes the rollout only if the
 * publisher says so. `isLater`: a plan or a later command decides. Throws `UsageError` where the publisher has to choose.
 */
export function rolloutOf(
  given: RolloutOption | undefined,
  staged: readonly StagedManifest[],
  isLater: boolean,
): { readonly rolloutPct: number | undefined; readonly ignored: readonly StagedManifest[] } {
  const fraction = staged.find(({ percentage }) => !Number.isInteger(percentage))
  if (fraction !== undefined && typeof given !== 'number') {
    throw new UsageError(text.fractionStaged(fraction))
  }
  if (given === 'manifest') {
    const [first, ...others] = staged
    if (first === undefined) throw new UsageError(text.notStaged)
    const other = others.find(({ percentage }) => percentage !== first.percentage)
    if (other !== undefined) throw new UsageError(text.stagedOtherwise(first, other))
    return { rolloutPct: first.percentage, ignored: [] }
  }
  const ignored = staged.filter((each) => each.percentage !== (given ?? 100))
  const [first] = ignored
  if (first !== undefined && given === undefined && !isLater) {
    throw new UsageError(text.chooseRollout(first))
  }
  return { rolloutPct: given, ignored }
}

type Label = readonly [key: string, value: string]

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
  return parsedBy(Targets, { matchLabels }, ({ path, reason }) => {
    return new UsageError(text.wrongTargets(path.slice(1).join('.'), reason))
  })
}

/** Reads `key=value`. */
export function readLabel(typed: string): Label {
  const mark = typed.indexOf('=')
  if (mark < 1) throw new InvalidArgumentError(text.targetForm)
  return [typed.slice(0, mark), typed.slice(mark + 1)]
}
