import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'

const Lock = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string().optional(),
      dependencies: z.record(z.string(), z.string()).optional(),
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
 * and what is optional are left out.
 */
export function lockedPackages(root: string, names: readonly string[]): LockedPackage[] {
  const { packages } = Lock.parse(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')))
  const found = new Map<string, LockedPackage>()
  const add = (name: string, from: string) => {
    const path = placeOf(name, from, packages)
    if (found.has(path)) return
    const { version = '', dependencies = {} } = packages[path] ?? {}
    found.set(path, { path, version })
    for (const needed of Object.keys(dependencies)) add(needed, path)
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
