/** Fuzzes a server and prints what was found: `npm run fuzz -- --requests 20000 --seed 1`. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { fuzz } from './fuzz.ts'
import { progressLine, reportLines } from './report.ts'

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '20000' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
  },
})
const requests = Number(values.requests)
const seed = Number(values.seed)
if (!Number.isInteger(requests) || requests < 1 || !Number.isInteger(seed)) {
  throw new Error('--requests and --seed must be whole numbers')
}

const folder = mkdtempSync(join(tmpdir(), 'tidegate-fuzz-'))
try {
  process.stdout.write(`Fuzzing with ${requests} requests, seed ${seed}\n`)
  const report = await fuzz({
    folder,
    seed,
    requests,
    onProgress: (sent, memory) => process.stdout.write(`${progressLine(sent, memory)}\n`),
  })
  process.stdout.write(`${reportLines(report).join('\n')}\n`)
  if (report.failures.length + report.aftermath.length > 0) {
    process.stdout.write(`Run it again: npm run fuzz -- --requests ${requests} --seed ${seed}\n`)
    process.exitCode = 1
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
