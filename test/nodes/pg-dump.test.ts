import { execFile } from 'node:child_process'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { PostgresDatabase } from '../../src/server/storage/postgres/connection/database.ts'
import { temporaryFolder } from '../support/builders/folders.ts'
import { readPage } from '../support/docs/page.ts'
import { program } from '../support/postgres/cluster.ts'
import { expectExact } from '../support/postgres/recount.ts'
import { startCommand } from '../support/processes/cli.ts'
import { Load } from './support/load.ts'
import { type NodeSet, startNodeOn, startNodes } from './support/nodes.ts'
import { publishAt } from './support/releases.ts'

/** What a restored server shows as the server did that was dumped. */
const CALLS = ['/api/v1/releases?app=editor', '/feed/editor/stable']

test('a dump that is made while nodes record check-ins is restored with the commands of the page', async () => {
  const set = await startNodes(2)
  const [node] = set.nodes
  if (node === undefined) throw new Error('no node')
  const { key } = set
  await publishAt(node, key, '2.0.0')
  await publishAt(node, key, '2.1.0')
  const load = new Load(set, { writers: 4 })
  await load.more(50)
  const folder = temporaryFolder()
  const commands = commandsOf(set)
  const acknowledged = load.acknowledged
  await run(commands, 'pg_dump', folder)
  const { sent } = load
  await load.more(20)
  await load.stop()
  const shown = await Promise.all(CALLS.map((path) => node.call('GET', path, { key })))
  await Promise.all(set.nodes.map((each) => each.stop()))
  await run(commands, 'createdb', folder)
  await run(commands, 'pg_restore', folder)
  const url = set.cluster.url('tidegate_restored')
  const doctor = commands.find(([name]) => name === 'tidegate')?.slice(1) ?? []
  const { code, stdout } = await startCommand([...doctor, '--data', folder]).ended
  expect(code, stdout).toBe(0)
  const restored = new PostgresDatabase(url, 1)
  onTestFinished(() => restored.close())
  await expectExact(restored)
  const own = await restored.row<{ count: number }>(
    "SELECT count(*) AS count FROM devices WHERE device_id LIKE 'own-%'",
  )
  // Some reports were acknowledged while it ran.
  expect(own?.count).toBeGreaterThanOrEqual(acknowledged)
  expect(own?.count).toBeLessThanOrEqual(sent)
  const again = await startNodeOn(url)
  for (const [at, path] of CALLS.entries()) {
    expect((await again.call('GET', path, { key })).body).toEqual(shown[at]?.body)
  }
  const devices = [{ deviceId: 'own-0', version: '2.1.0' }]
  const report = { key, body: { app: 'editor', devices } }
  expect(await again.call('POST', '/api/v1/fleet/report', report)).toMatchObject({ status: 200 })
  expect(await again.stop()).toBe(0)
  await expectExact(restored)
})

/** The commands of the page for a dump and its restore, for these databases. */
function commandsOf({ cluster }: NodeSet): string[][] {
  const page = readPage('docs/postgresql.md')
  const sections = ['## Back up\n', '## Restore\n'].map((heading) => {
    const [, text = ''] = page.split(heading)
    return text.split('\n## ')[0] ?? ''
  })
  const spans = sections.flatMap((text) => [...text.matchAll(/`([^`]+)`/g)])
  return spans
    .map(([, text = '']) => text.split(/\s+/))
    .filter(([name = '', ...args]) => isCommand(name, args))
    .map((words) =>
      words.map((word) =>
        word
          .replace(
            'postgres://tidegate@db.example.com/tidegate_restored',
            cluster.url('tidegate_restored'),
          )
          .replace('postgres://tidegate@db.example.com/tidegate', cluster.url('tidegate'))
          .replace('--owner=tidegate', '--owner=postgres'),
      ),
    )
}

function isCommand(name: string, args: readonly string[]): boolean {
  if (name === 'tidegate') return args[0] === 'doctor'
  return ['pg_dump', 'createdb', 'pg_restore'].includes(name) && args.length > 0
}

/** Runs the one command of that name in a folder, as an operator whose environment names the server. */
async function run(
  commands: readonly (readonly string[])[],
  name: string,
  folder: string,
): Promise<void> {
  const [found, ...others] = commands.filter(([first]) => first === name)
  if (found === undefined || others.length > 0) throw new Error(`not one command ${name}`)
  const target = commands.flat().find((word) => word.includes('postgres://')) ?? ''
  const { port } = new URL(target.slice(target.indexOf('postgres://')))
  const bin = dirname(program(name))
  await promisify(execFile)(join(bin, name), found.slice(1), {
    cwd: folder,
    env: {
      PATH: [bin, process.env.PATH].join(delimiter),
      ...{ PGHOST: '127.0.0.1', PGPORT: port, PGUSER: 'postgres' },
    },
  })
}
