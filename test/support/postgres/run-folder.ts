import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { removeCluster } from './cluster.ts'
import { clusterFile, RUN_FOLDER } from './shared-cluster.ts'

/** Makes the folder of a run before its tests, and removes it afterwards with the cluster that they have started. */
export default function setUp(): () => Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'tidegate-run-'))
  process.env[RUN_FOLDER] = folder
  return async () => {
    const file = clusterFile(folder)
    const cluster = existsSync(file) && JSON.parse(readFileSync(file, 'utf8')).folder
    if (cluster) await removeCluster(cluster)
    rmSync(folder, { recursive: true, force: true })
  }
}
