import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { temporaryFolder } from './support/builders/folders.ts'

// Processes start slowly on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const ROOT = join(import.meta.dirname, '..')
const README = readFileSync(join(ROOT, 'README.md'), 'utf8')

test('the front page opens with the two commands', () => {
  const [serve, check] = shellBlocks(README)
  expect(serve).toBe('npm ci && npm run serve')
  expect(check).toBe('npm ci && npm test')
})

// A dozen processes start one after the other.
test('every block of the tour does what it says, as it is written', {
  timeout: 90_000,
}, async () => {
  const folder = temporaryFolder()
  const environment = { ...process.env, HOME: folder, XDG_DATA_HOME: folder }
  const address = await serve(environment)
  const tour = section('A tour in five minutes').replaceAll('http://127.0.0.1:8440', address)
  const script = shellBlocks(tour)
    .map((block) => `echo '>>>'\n${block}\necho`)
    .join('\n')
  const output = await run(`set -e\n${script}`, environment)
  const [, apps, key, published, outside, inside, feed, rolledBack] = output.split('>>>\n')
  expect(apps).toContain('editor')
  expect(key?.trim()).toBe('')
  expect(JSON.parse(published ?? '').release).toMatchObject({ version: '1.1.0', rolloutPct: 0 })
  expect(outside?.trim()).toBe('204')
  const [ramped, manifest] = (inside ?? '').trim().split(/(?<=\})(?=\{)/)
  expect(JSON.parse(ramped ?? '').release.rolloutPct).toBe(100)
  expect(JSON.parse(manifest ?? '')).toMatchObject({ version: '1.1.0', allowDowngrade: false })
  expect(JSON.parse(feed ?? '').releases).toHaveLength(1)
  expect(rolledBack).toMatch(/rolled.back/)
})

/** The `sh` blocks of a text, in order. */
function shellBlocks(text: string): string[] {
  return [...text.matchAll(/^```sh\n([\s\S]*?)\n```$/gm)].map(([, block]) => block ?? '')
}

function section(title: string): string {
  const start = README.indexOf(`## ${title}`)
  return README.slice(start, README.indexOf('\n## ', start + 1))
}

/** The server as the first command starts it, but for the port. Answers its address. */
function serve(environment: NodeJS.ProcessEnv): Promise<string> {
  const server = spawn('npm', ['run', '-s', 'serve', '--', '--port', '0'], {
    cwd: ROOT,
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
  onTestFinished(async () => {
    const ended = new Promise((resolve) => server.once('exit', resolve))
    if (server.pid !== undefined) process.kill(-server.pid, 'SIGTERM')
    await ended
  })
  return new Promise((resolve, reject) => {
    server.once('exit', (code) => reject(new Error(`the server ended with ${code}`)))
    server.stdout.once('data', (line) => resolve(/http:\S+/.exec(String(line))?.[0] ?? ''))
  })
}

function run(script: string, environment: NodeJS.ProcessEnv): Promise<string> {
  const shell = spawn('bash', ['-c', script], {
    cwd: ROOT,
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  shell.stdout.on('data', (chunk) => {
    output += chunk
  })
  return new Promise((resolve, reject) => {
    shell.once('close', (code) =>
      code === 0 ? resolve(output) : reject(new Error(`the tour ended with ${code}:\n${output}`)),
    )
  })
}
