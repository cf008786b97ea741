import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'

const Names = z.record(z.string(), z.string()).default({})

const Lock = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string().optional(),
      dependencies: Names,
      optionalDependencies: Names,
      peerDependencies: Names,
    }),
  ),
})

/** A package as the lock file places it. */
export interface LockedPackage {
  /** From the folder of the project, such as `node_modules/express/node_modules/cookie`. */
  readonly path: string
  readonly version: string
}

/**
 * Returns the named packages and all that they depend on, from the lock file of the project in `root`, by path. Peers
 * and what is optional are left out unless `withOptional` is set.
 */
export function lockedPackages(
  root: string,
  names: readonly string[],
  { withOptional = false } = {},
): LockedPackage[] {
  const { packages } = Lock.parse(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')))
  const found = new Map<string, LockedPackage>()
  // npm does not install every peer.
  const isPlaced = (name: string) => `node_modules/${name}` in packages
  const add = (name: string, from: string) => {
    const path = placeOf(name, from, packages)
    if (found.has(path)) return
    const locked = packages[path]
    found.set(path, { path, version: locked?.version ?? '' })
    for (const needed of Object.keys(locked?.dependencies ?? {})) add(needed, path)
    if (!withOptional) return
    const { optionalDependencies = {}, peerDependencies = {} } = locked ?? {}
    for (const optional of Object.keys({ ...optionalDependencies, ...peerDependencies })) {
      if (isPlaced(optional)) add(optional, path)
    }
  }
  for (const name of names) add(name, '')
  return [...found.values()].sort((one, other) => (one.path < other.path ? -1 : 1))
}

/** Where Node finds a package from the folder of another one. */
function placeOf(name: string, from: string, packages: Readonly<Record<string, unknown>>): string {
  const path = join(from, 'node_modules', name).replaceAll('\\', '/')
  if (path in packages) return path
  if (from === '') throw new Error(`the lock file has no ${name}`)
  return placeOf(name, parentOf(from), packages)
}

/** The folder from which Node goes on looking, which is no `node_modules` itself. */
function parentOf(folder: string): string {
  const parent = dirname(folder)
  if (parent === '.') return ''
  return parent.endsWith('node_modules') ? parentOf(parent) : parent
}
