import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Download, download } from '../load/download.ts'
import { median } from '../output/median.ts'
import { showProgress } from '../output/progress.ts'
import type { Table } from '../output/table.ts'
import { pinned, pinning } from '../process/affinity.ts'
import { Listener } from '../process/listener.ts'
import { nginxVersion, startNginx } from '../process/nginx.ts'
import { freePort } from '../process/ports.ts'
import { AIMS } from './aims.ts'
import type { Bench } from './scenario.ts'

const MEGABYTE = 1e6
/** Bytes of the file. */
const SIZE = 100 * MEGABYTE
/** Downloads at the same time. */
const CONNECTIONS = [1, 8]

const MEMORY_SERVER = join(import.meta.dirname, '../memory-server.ts')

/**
 * Downloads of a stored file, alternating with those of the same file from nginx, and from a bare node:http that has it in
 * memory, on the same core.
 */
export async function downloads({ workspace, tidegate, scale }: Bench): Promise<Table> {
  const version = nginxVersion()
  if (version === undefined) throw new Error('nginx is not installed')
  const pins = pinning()
  const artifacts = workspace.folder('artifacts')
  const content = randomBytes(SIZE)
  const sha512 = createHash('sha512').update(content).digest('hex')
  const files = join(artifacts, 'files')
  mkdirSync(files)
  writeFileSync(join(files, sha512), content)
  const data = workspace.folder('data')
  const options = ['--artifacts', artifacts, '--public-url', 'http://127.0.0.1']
  const rows = await pinned(pins, async () => {
    const own = await tidegate.serve(data, pins?.server, options)
    const port = await freePort()
    const nginx = await startNginx(workspace, { folder: files, port, cpus: pins?.server })
    const args = [MEMORY_SERVER, join(files, sha512)]
    const bare = await Listener.start(workspace, { args, cpus: pins?.server })
    const targets = {
      bare: { port: bare.port, path: '/', size: SIZE },
      own: { port: own.port, path: `/files/${sha512}/file`, size: SIZE },
      nginx: { port, path: `/${sha512}`, size: SIZE },
    }
    const found = []
    for (const connections of CONNECTIONS) {
      showProgress(`downloads: ${connections}`)
      const rate = (target: Download, ms: number) => measure(target, connections, ms)
      await rate(targets.own, scale.warmUpMs)
      await rate(targets.nginx, scale.warmUpMs)
      await rate(targets.bare, scale.warmUpMs)
      const rounds = []
      for (let i = 0; i < scale.rounds; i += 1) {
        const nginx = await rate(targets.nginx, scale.measureMs)
        const own = await rate(targets.own, scale.measureMs)
        rounds.push({ nginx, own, bare: await rate(targets.bare, scale.measureMs) })
      }
      found.push({ connections, rounds })
    }
    await own.stop()
    await bare.stop()
    nginx.stop()
    return found
  })
  return {
    title: `Downloads of a file of ${SIZE / MEGABYTE} MB, medians; nginx ${version} with one worker`,
    columns: [
      { name: 'connections' },
      { name: 'nginx MB/s' },
      { name: 'Tidegate MB/s' },
      { name: 'Node MB/s' },
      { name: 'ratio', decimals: 2 },
      { name: 'of aim', decimals: 2 },
      { name: 'of Node', decimals: 2 },
    ],
    rows: rows.map(({ connections, rounds }) => {
      const ratio = median(rounds.map(({ own, nginx }) => own / nginx))
      return {
        connections,
        'nginx MB/s': median(rounds.map(({ nginx }) => nginx)),
        'Tidegate MB/s': median(rounds.map(({ own }) => own)),
        'Node MB/s': median(rounds.map(({ bare }) => bare)),
        ratio,
        'of aim': ratio / AIMS.downloadRatio,
        'of Node': median(rounds.map(({ own, bare }) => own / bare)),
      }
    }),
    notes: [
      'Ratio: of neighbouring rounds, to nginx. Both read from memory: the system caches the file.',
      'Node: the same bytes from a bare node:http that has them in one buffer; nothing in Node is faster.',
    ],
    details: rows,
  }
}

/** Megabytes a second of that many connections, each downloading again and again. */
async function measure(target: Download, connections: number, ms: number): Promise<number> {
  const began = performance.now()
  const work = async () => {
    let count = 0
    while (performance.now() - began < ms) {
      await download(target)
      count += 1
    }
    return count
  }
  const counts = await Promise.all(Array.from({ length: connections }, work))
  const bytes = counts.reduce((sum, count) => sum + count, 0) * target.size
  return bytes / MEGABYTE / ((performance.now() - began) / 1_000)
}
