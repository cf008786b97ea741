import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { eventually } from '../eventually.ts'
import { freePort } from '../processes/ports.ts'

/** A real Prometheus. */
export interface RunningPrometheus {
  /** Its base address. */
  readonly origin: string
  /** What its target exposes from now on, in the text format; resolves once it is stored. */
  expose(...samples: readonly string[]): Promise<void>
}

/** Starts Prometheus on a free port, with one target that it scrapes every second; stopped after the test. */
export async function startPrometheus(): Promise<RunningPrometheus> {
  let exposed = ''
  let scrapes = 0
  const exporter = createServer((_request, response) => {
    scrapes++
    response.setHeader('content-type', 'text/plain; version=0.0.4').end(exposed)
  })
  await new Promise<void>((resolve) => exporter.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    exporter.closeAllConnections()
    exporter.close()
  })
  const address = exporter.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const folder = mkdtempSync(join(tmpdir(), 'tidegate-prometheus-'))
  const configuration = {
    global: { scrape_interval: '1s', scrape_timeout: '1s' },
    scrape_configs: [
      { job_name: 'app', static_configs: [{ targets: [`127.0.0.1:${address.port}`] }] },
    ],
  }
  // JSON is YAML.
  writeFileSync(join(folder, 'prometheus.yml'), JSON.stringify(configuration))
  const port = await freePort()
  const child = spawn(
    'prometheus',
    [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--log.level=warn',
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  )
  let output = ''
  child.stderr.on('data', (chunk) => {
    output += chunk
  })
  onTestFinished(async () => {
    await end(child)
    await rm(folder, { recursive: true, force: true })
  })
  const origin = `http://127.0.0.1:${port}`
  const scraped = (count: number) =>
    eventually(async () => {
      if (child.exitCode !== null) throw new Error(`Prometheus has ended: ${output}`)
      if (scrapes < count) throw new Error(`${scrapes} of ${count} scrapes`)
      const ready = await fetch(`${origin}/-/ready`)
      if (!ready.ok) throw new Error(`not ready: ${ready.status}`)
    })
  await scraped(1)
  return {
    origin,
    async expose(...samples) {
      exposed = samples.map((sample) => `${sample}\n`).join('')
      // One scrape may be in progress; what the next one got is stored before another one starts.
      await scraped(scrapes + 3)
    },
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}
