import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { lockedPackages } from './production-packages.ts'

/**
 * The first Node that tells which certificates the system trusts. Before 22.14, without Node-API 10, better-sqlite3 13
 * crashes when it opens a database, although its `engines` include those.
 */
export const OLDEST_NODE = '22.15.0'

/** The Node that runs the sources. Whoever installs the npm package has one. */
const NOT_NEEDED = ['node']

/** Too large for the tarball with its programs for every system. npm installs it. */
const NOT_BUNDLED = ['better-sqlite3']

const Project = z.object({
  name: z.string(),
  version: z.string(),
  description: z.string(),
  license: z.string(),
  dependencies: z.record(z.string(), z.string()),
})

export type NpmManifest = ReturnType<typeof npmManifest>

/** Returns the `package.json` of the npm package, made from that of the project in `root`. */
export function npmManifest(root: string) {
  const text = readFileSync(join(root, 'package.json'), 'utf8')
  const { dependencies, ...project } = Project.parse(JSON.parse(text))
  const needed = Object.entries(dependencies).filter(([name]) => !NOT_NEEDED.includes(name))
  const names = needed.map(([name]) => name)
  // With what they depend on, which nothing else would pin.
  const fetched = lockedPackages(root, NOT_BUNDLED).map(({ path, version }) => {
    return [path.slice('node_modules/'.length), version] as const
  })
  return {
    ...project,
    type: 'module',
    bin: { tidegate: 'bin/tidegate.cjs' },
    engines: { node: `>=${OLDEST_NODE}` },
    dependencies: Object.fromEntries([...needed, ...fetched]),
    bundleDependencies: names.filter((name) => !NOT_BUNDLED.includes(name)),
  }
}
