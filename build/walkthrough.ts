/**
 * `npm run walkthrough`: acts as the person who installs Tidegate from its npm package, and as a pipeline that publishes
 * with it, each in an empty folder, with real processes and HTTP. Prints each command with its exit code, and ends at the
 * first one that does something else than the documentation says. `--no-build` takes the package in out/ as it is.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import manifest from '../package.json' with { type: 'json' }
import { CommandLine } from './walkthrough/command-line.ts'
import { FileStore } from './walkthrough/file-store.ts'
import {
  backUpAndRestore,
  checkUpkeep,
  install,
  makeSupportBundle,
} from './walkthrough/it-person.ts'
import { publishFirst, rollOut, showWrongUses, withdraw } from './walkthrough/pipeline.ts'
import { Server } from './walkthrough/server.ts'

const ROOT = join(import.meta.dirname, '..')
const TARBALL = join(ROOT, `out/tidegate-${manifest.version}.tgz`)

const folder = mkdtempSync(join(tmpdir(), 'tidegate-walkthrough-'))
const store = new FileStore()
let server: Server | undefined
try {
  await walk()
  process.stdout.write('walkthrough: everything was as documented\n')
} catch (error) {
  process.stderr.write(`walkthrough: ${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
} finally {
  server?.kill()
  store.close()
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
}

async function walk(): Promise<void> {
  if (!process.argv.includes('--no-build')) npm(ROOT, 'run', '-s', 'package:npm')
  const office = emptyFolder('office')
  writeFileSync(join(office, 'package.json'), '{}')
  npm(office, 'install', '--no-audit', '--no-fund', TARBALL)
  const path = [join(office, 'node_modules/.bin'), dirname(process.execPath), process.env.PATH]
  const PATH = path.join(delimiter)
  const person = new CommandLine('person', office, { PATH, HOME: office, TIDEGATE_DATA: 'data' })

  server = new Server(person)
  const keys = await install(person, server)
  await backUpAndRestore(person, server, keys)
  await checkUpkeep(person)

  const job = emptyFolder('job')
  const given = { TIDEGATE_SERVER: server.address, TIDEGATE_KEY: keys.pipeline }
  const pipeline = new CommandLine('pipeline', job, { PATH, HOME: job, ...given })
  await store.open()
  await publishFirst(pipeline, store)
  await rollOut(pipeline, server.address, store)
  await withdraw(pipeline, server.address)
  await showWrongUses(pipeline, keys)

  await makeSupportBundle(person, keys)
  await server.stop()
}

function emptyFolder(name: string): string {
  const made = join(folder, name)
  mkdirSync(made)
  return made
}

function npm(cwd: string, ...args: readonly string[]): void {
  const { status } = spawnSync('npm', args, {
    cwd,
    shell: process.platform === 'win32',
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (status !== 0) throw new Error(`npm ${args.join(' ')} ended with ${status}`)
}
