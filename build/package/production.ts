import { readFileSync } from 'node:fs'
import { z } from 'zod'

const Names = z.record(z.string(), z.string()).default({})
const Lock = z.object({
  packages: z.record(z.string(), z.object({ dependencies: Names, optionalDependencies: Names })),
})
type Packages = z.infer<typeof Lock>['packages']

/**
 * Names of the packages that the app needs when it runs: what package-lock.json names as its
 * dependencies, and theirs. Optional ones that are not in the lock file's tree are skipped.
 */
export function productionPackages(lockFile: string): ReadonlySet<string> {
  const { packages } = Lock.parse(JSON.parse(readFileSync(lockFile, 'utf8')))
  const found = new Set<string>()
  const follow = (folder: string) => {
    const { dependencies = {}, optionalDependencies = {} } = packages[folder] ?? {}
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const place = resolve(packages, folder, name)
      if (place === undefined || found.has(place)) continue
      found.add(place)
      follow(place)
    }
  }
  follow('')
  return new Set(
    [...found].map((place) => place.slice(place.lastIndexOf(MODULES) + MODULES.length)),
  )
}

const MODULES = 'node_modules/'

/** Returns the folder in which Node finds a package: the nearest one upwards. */
function resolve(packages: Packages, folder: string, name: string): string | undefined {
  const place = folder === '' ? MODULES + name : `${folder}/${MODULES}${name}`
  if (place in packages) return place
  if (folder === '') return undefined
  const above = folder.lastIndexOf(`/${MODULES}`)
  return resolve(packages, above === -1 ? '' : folder.slice(0, above), name)
}
