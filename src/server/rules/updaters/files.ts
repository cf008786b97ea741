import { ANY_ARCH, canonicalArch, canonicalPlatform } from '../../../shared/devices/aliases.ts'
import type { Artifact } from '../../../shared/releases/release.ts'

/** Architectures in the order in which a client that does not name its own is offered their files. */
const USUAL_ARCHES: readonly string[] = [ANY_ARCH, 'x86_64', 'i686', 'aarch64']

const paths = new WeakMap<Artifact, string>()

/** Returns the path of a file's address, in lower case; parsed once, because every choice of files reads it. */
export function pathOfFile(artifact: Artifact): string {
  const known = paths.get(artifact)
  if (known !== undefined) return known
  const path = new URL(artifact.url).pathname.toLowerCase()
  paths.set(artifact, path)
  return path
}

/** Returns the name of a file as its address ends, decoded. */
export function nameOfFile({ url }: Pick<Artifact, 'url'>): string {
  const name = new URL(url).pathname.split('/').at(-1) ?? ''
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

/** Returns the artifacts for a canonical platform and arch, the very arch first; all of the platform for an unknown arch. */
export function artifactsFor(
  artifacts: readonly Artifact[],
  platform: string,
  arch: string | null,
): Artifact[] {
  const rank = (artifact: Artifact) => {
    const own = canonicalArch(artifact.arch)
    if (arch !== null) return own === arch ? 0 : own === ANY_ARCH ? 1 : -1
    const usual = USUAL_ARCHES.indexOf(own)
    return usual === -1 ? USUAL_ARCHES.length : usual
  }
  return artifacts
    .filter((artifact) => canonicalPlatform(artifact.platform) === platform && rank(artifact) >= 0)
    .toSorted((one, other) => rank(one) - rank(other))
}

/** A form of file that updaters install: the end of its name, and the kinds of bundle that it can be. */
export interface FileForm {
  /** In lower case. */
  readonly end: string
  readonly kinds: readonly string[]
}

/** Returns the artifacts of a form, in order. Of an arch with one of its kind, those without a kind are left out: portable apps. */
export function ofForm(artifacts: readonly Artifact[], form: FileForm): Artifact[] {
  const found = artifacts.filter((artifact) => hasForm(artifact, form))
  const named = new Set(
    found.flatMap(({ arch, kind }) => (kind === '' ? [] : [canonicalArch(arch)])),
  )
  return found.filter(({ arch, kind }) => kind !== '' || !named.has(canonicalArch(arch)))
}

/** Returns whether a file is of a form: by its name unless its kind contradicts, by its kind for a name without ending. */
export function hasForm(artifact: Artifact, { end, kinds }: FileForm): boolean {
  const { kind } = artifact
  const path = pathOfFile(artifact)
  if (path.endsWith(end)) return kind === '' || kinds.includes(kind)
  return kinds.includes(kind) && !/\.[a-z][^/.]*$/.test(path)
}
