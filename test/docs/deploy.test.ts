import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { readDockerfile } from '../../build/container/dockerfile.ts'
import { PostgresDatabase } from '../../src/server/storage/postgres/connection/database.ts'
import { temporaryFolder } from '../support/builders/folders.ts'
import { blocksOf, readPage } from '../support/docs/page.ts'
import { removeCluster, startCluster } from '../support/postgres/cluster.ts'
import { startCommand } from '../support/processes/commands.ts'
import { needs } from '../support/tools.ts'

const ROOT = join(import.meta.dirname, '../..')
const FOLDER = join(ROOT, 'deploy')
const read = (name: string) => readFileSync(join(FOLDER, name), 'utf8')
const DOMAIN = 'updates.example.com'

const Networks = z.record(z.string(), z.object({ ipv4_address: z.ipv4() }).nullable())
const Node = z.looseObject({
  build: z.object({ context: z.string(), dockerfile: z.string() }),
  environment: z.record(z.string(), z.string()),
  secrets: z.array(z.string()),
  volumes: z.array(z.string()),
  networks: Networks,
})
const compose = z
  .object({
    services: z.object({
      one: Node,
      two: Node,
      postgres: z.looseObject({
        command: z.array(z.string()),
        environment: z.record(z.string(), z.string()),
        secrets: z.array(z.string()),
        networks: z.array(z.string()),
      }),
      caddy: z.looseObject({ networks: Networks }),
    }),
    secrets: z.record(z.string(), z.object({ file: z.string() })),
    volumes: z.record(z.string(), z.null()),
    networks: z.record(z.string(), z.unknown()),
  })
  .parse(parse(read('compose.yaml'), { merge: true }))
const { one, two, postgres, caddy } = compose.services
const image = readDockerfile(readFileSync(join(ROOT, 'build/container/Dockerfile'), 'utf8')).at(-1)
const described = (name: string) => image?.instructions.find((each) => each.name === name)?.rest

const unit = read('systemd/tidegate@.service')
/** The values of a field in the unit of a node. */
const fieldsOf = (name: string, node = '') =>
  unit
    .replaceAll('%i', node)
    .split('\n')
    .flatMap((line) => (line.startsWith(`${name}=`) ? [line.slice(name.length + 1)] : []))

/** The variables of a unit that Tidegate reads. */
const unitVariables = (node: string): Record<string, string> =>
  Object.fromEntries(
    fieldsOf('Environment', node).flatMap((each) => {
      const [name = '', ...value] = each.split('=')
      return name.startsWith('TIDEGATE_') ? [[name, value.join('=')]] : []
    }),
  )

/** Where Caddy sends requests, from a Caddyfile that it accepts. */
function upstreamsOf(name: string): string[] {
  const env = { ...process.env, TIDEGATE_DOMAIN: DOMAIN, HOME: temporaryFolder() }
  const args = ['adapt', '--validate', '--adapter', 'caddyfile', '--config', join(FOLDER, name)]
  const adapted = execFileSync('caddy', args, { env, encoding: 'utf8', stdio: 'pipe' })
  expect(adapted).toContain(`"host":["${DOMAIN}"]`)
  expect(adapted).toContain('"uri":"/healthz/ready"')
  return [...adapted.matchAll(/"dial":"([^"]+)"/g)].map(([, dial = '']) => dial)
}

/** Expects that Tidegate takes every one of the variables as a setting. */
async function expectAccepted(env: Readonly<Record<string, string>>) {
  const data = temporaryFolder()
  const variables = { ...env, TIDEGATE_DATA: data }
  const checked = await startCommand(['config', 'check'], variables).ended
  expect(checked).toMatchObject({ code: 0 })
  const shown = await startCommand(['config', 'show'], variables).ended
  expect(shown.code).toBe(0)
  for (const name of Object.keys(env)) expect(shown.stdout).toMatch(new RegExp(`${name}$`, 'm'))
}

test('Compose runs two nodes of the image, which differ in their name, volume and address alone', () => {
  expect(join(FOLDER, one.build.context)).toBe(ROOT)
  expect(existsSync(join(ROOT, one.build.dockerfile))).toBe(true)
  const { volumes: first, networks: ofFirst, environment: settings, ...common } = one
  const { volumes: second, networks: ofSecond, environment: otherSettings, ...others } = two
  expect(others).toEqual(common)
  expect(settings.TIDEGATE_NODE_NAME).toBe('one')
  expect(otherSettings).toEqual({ ...settings, TIDEGATE_NODE_NAME: 'two' })
  const folder = described('VOLUME')
  expect([first, second]).toEqual([[`one:${folder}`], [`two:${folder}`]])
  expect(Object.keys(compose.volumes)).toEqual(['one', 'two', 'postgres', 'certificates'])
  expect(ofFirst.proxy?.ipv4_address).not.toBe(ofSecond.proxy?.ipv4_address)
})

test('only Caddy can be reached, the nodes trust it alone, and it cannot reach the database', () => {
  for (const service of [one, two, postgres]) expect(service).not.toHaveProperty('ports')
  expect(one.environment.TIDEGATE_TRUST_PROXY).toBe(caddy.networks.proxy?.ipv4_address)
  expect(Object.keys(caddy.networks)).toEqual(['proxy'])
  expect(postgres.networks).toEqual(['database'])
  expect(compose.networks.database).toEqual({ internal: true })
})

test('passwords come from files that are not in the repository', () => {
  expect(one.environment.TIDEGATE_DATABASE_FILE).toBe('/run/secrets/database')
  expect(postgres.environment.POSTGRES_PASSWORD_FILE).toBe('/run/secrets/password')
  expect([...one.secrets, ...postgres.secrets]).toEqual(Object.keys(compose.secrets))
  for (const { file } of Object.values(compose.secrets)) {
    const ignored = execFileSync('git', ['check-ignore', join(FOLDER, file)], { cwd: ROOT })
    expect(ignored.length).toBeGreaterThan(0)
  }
})

test(
  'the documented commands make the files of passwords, and name files that exist',
  needs('openssl'),
  () => {
    const commands = blocksOf(readPage('docs/deploy.md')).map(({ text }) => text)
    const [secrets = ''] = commands
    const folder = temporaryFolder()
    mkdirSync(join(folder, 'deploy'))
    execFileSync('sh', ['-ec', secrets], { cwd: folder })
    const [password = '', address] = ['password', 'database'].map((name) =>
      readFileSync(join(folder, 'deploy/secrets', name), 'utf8'),
    )
    expect(password).toMatch(/^[0-9a-f]{48}$/)
    const { POSTGRES_USER: user, POSTGRES_DB: name } = postgres.environment
    expect(address).toBe(`postgres://${user}:${password}@postgres/${name}`)
    const files = [...readPage('docs/deploy.md').matchAll(/deploy\/(?!secrets)[\w./@]+\w/g)]
    expect(files.map(([file]) => file).filter((file) => !existsSync(join(ROOT, file)))).toEqual([])
  },
)

test('Tidegate accepts the settings of Compose and of the units', async () => {
  const folder = temporaryFolder()
  const file = join(folder, 'database')
  writeFileSync(file, 'postgres://tidegate:secret@postgres/tidegate', { mode: 0o600 })
  await expectAccepted({
    ...one.environment,
    TIDEGATE_DATABASE_FILE: file,
    TIDEGATE_CONSOLE_HOST: DOMAIN,
  })
  const { TIDEGATE_DATA: _, ...variables } = unitVariables('1')
  await expectAccepted(variables)
})

test('Caddy accepts its files, which lead to both nodes', needs('caddy'), () => {
  const port = described('EXPOSE')
  expect(upstreamsOf('Caddyfile')).toEqual([`one:${port}`, `two:${port}`])
  const ports = ['1', '2'].map((node) => unitVariables(node).TIDEGATE_PORT)
  expect(upstreamsOf('systemd/Caddyfile')).toEqual(ports.map((each) => `127.0.0.1:${each}`))
})

test(
  'the unit of a node is valid, and each node has a folder of its own',
  needs('systemd-analyze'),
  () => {
    for (const node of ['1', '2']) {
      const { TIDEGATE_DATA: data = '' } = unitVariables(node)
      expect(data).toBe(`/var/lib/${fieldsOf('StateDirectory', node)[0]}`)
      expect(fieldsOf('WorkingDirectory', node)).toEqual([data])
    }
    const folder = temporaryFolder()
    const file = join(folder, 'tidegate@.service')
    // The program is not installed here.
    writeFileSync(file, unit.replace(/^ExecStart=\S+/m, 'ExecStart=/bin/true'))
    const verify = (text?: string) => {
      if (text !== undefined) writeFileSync(file, text)
      const args = [
        'verify',
        '--man=no',
        '--recursive-errors=no',
        join(folder, 'tidegate@1.service'),
      ]
      return execFileSync('systemd-analyze', args, { encoding: 'utf8', stdio: 'pipe' })
    }
    expect(verify()).toBe('')
    expect(() => verify('[Service]\nType=none\n')).toThrow()
  },
)

test(
  'PostgreSQL starts with the settings, which are the same in both',
  needs('postgresql'),
  async () => {
    const settings = read('systemd/postgresql.conf')
      .split('\n')
      .flatMap((line) => {
        const [, name, value] = /^(\w+) = (\S+)$/.exec(line) ?? []
        return name === undefined ? [] : [`--${name}=${value}`]
      })
    expect(postgres.command).toEqual(['postgres', ...settings])
    // Less memory, so that the tests of a small machine can start it as well.
    const small = settings.map((each) => each.replace('shared_buffers=2GB', 'shared_buffers=32MB'))
    const { folder, url } = await startCluster(small)
    onTestFinished(() => removeCluster(folder))
    const database = new PostgresDatabase(url('postgres'), 1)
    onTestFinished(() => database.close())
    const row = await database.row<{ value: string }>(
      `SELECT current_setting('wal_compression') AS value`,
    )
    expect(row?.value).toBe('lz4')
  },
)
