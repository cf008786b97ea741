import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { pathToFileURL } from 'node:url'

const ROOT = join(import.meta.dirname, '../..')
const LOG = 'network.log'

/**
 * Runs a script of the project to its end with the network refused and empty caches in `folder`. What
 * it prints is shown only if it fails, in the error that is thrown.
 */
export function runOffline(script: string, args: readonly string[], folder: string): void {
  const refusal = pathToFileURL(join(import.meta.dirname, 'refuse-network.mjs')).href
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(ROOT, script), ...args], {
    cwd: ROOT,
    encoding: 'utf8',
    env: {
      ...process.env,
      // The tools start npm, which must run on this Node as well.
      PATH: `${join(ROOT, 'node_modules/.bin')}${delimiter}${process.env.PATH ?? ''}`,
      NODE_OPTIONS: `--import ${refusal}`,
      NO_COLOR: '1',
      TIDEGATE_NETWORK_LOG: join(folder, LOG),
      ELECTRON_CACHE: join(folder, 'electron-cache'),
      electron_config_cache: join(folder, 'electron-cache'),
      ELECTRON_BUILDER_CACHE: join(folder, 'builder-cache'),
    },
  })
  if (status !== 0) throw new Error(`${script} failed:\n${stdout}${stderr}`)
}

/** What the scripts that ran in the folder wanted from the network, a sentence each. */
export function networkProblems(folder: string): readonly string[] {
  const log = join(folder, LOG)
  if (!existsSync(log)) return []
  const targets = new Set(readFileSync(log, 'utf8').trim().split('\n'))
  return [...targets].map((target) => `packaging wanted to reach ${target}`)
}
