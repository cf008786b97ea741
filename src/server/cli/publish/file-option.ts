import { InvalidArgumentError } from 'commander'
import { issueOf } from '../../../shared/issue.ts'
import { Arch, BundleKind, Platform } from '../../../shared/names.ts'
import { text } from '../strings/publish.ts'

/** A built file, and the devices that it is for. */
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
    const result = schema.safeParse(name)
    if (result.success) continue
    const { reason } = issueOf(result.error, name)
    throw new InvalidArgumentError(text.wrongName(name, reason))
  }
  return {
    platform: platform.toLowerCase(),
    arch: arch.toLowerCase(),
    kind: kind?.toLowerCase(),
    path,
  }
}
