import { readFileSync } from 'node:fs'
import { z } from 'zod'

const Names = z.record(z.string(), z.string()).default({})
const Lock = z.object({
  packages: z.record(z.string(), z.object({ dependencies: Names })),
})
type Packages = z.infer<typeof Lock>['packages']

/** The SDK for buckets, and the driver of PostgreSQL: the app has no setting for either. */
const OF_OTHER_SERVERS: readonly string[] = [
  '@aws-sdk/client-s3',
  '@aws-sdk/lib-storage',
  '@aws-sdk/s3-request-presigner',
  'pg',
]

/**
 * Names of the packages that the app needs when it runs: what package-lock.json names as its
 * dependencies, and theirs, without the optional ones, which the app leaves out, and those of servers without the app.
 */
export function productionPackages(lockFile: string): ReadonlySet<string> {
  const { packages } = Lock.parse(JSON.parse(readFileSync(lockFile, 'utf8')))
  const found = new Set<string>()
  const follow = (folder: string) => {
    for (const name of Object.keys(packages[folder]?.dependencies ?? {})) {
      const place = resolve(packages, folder, name)
      if (folder === '' && OF_OTHER_SERVERS.includes(name)) continue
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
