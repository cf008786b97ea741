import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { contextFiles } from '../../build/container/context.ts'
import { readDockerfile, wordsOf } from '../../build/container/dockerfile.ts'
import { temporaryFolder } from '../support/builders/folders.ts'
import { needs } from '../support/tools.ts'

const ROOT = join(import.meta.dirname, '../..')
const FOLDER = join(ROOT, 'build/container')
const read = (name: string) => readFileSync(join(FOLDER, name), 'utf8')

const Service = z.looseObject({
  environment: z.record(z.string(), z.string()),
  volumes: z.array(z.string()),
  networks: z.object({ proxy: z.object({ ipv4_address: z.ipv4() }) }),
})
const compose = z
  .object({
    services: z.object({
      tidegate: Service.extend({
        build: z.object({ context: z.string(), dockerfile: z.string() }),
      }),
      caddy: Service.extend({ ports: z.array(z.string()) }),
    }),
    volumes: z.record(z.string(), z.null()),
  })
  .parse(parse(read('compose.yaml')))
const { tidegate, caddy } = compose.services
const stages = readDockerfile(read('Dockerfile'))
const image = stages.at(-1)?.instructions ?? []
const described = (name: string) => image.filter((instruction) => instruction.name === name)

test('a Dockerfile is read with its stages, flags and joined lines', () => {
  const text = `# comment
ARG A=1
FROM a AS build
RUN one && \\
# comment
    two
FROM b
COPY --from=build --chown=1 x y
HEALTHCHECK --interval=1s \\
  CMD ["a", "b c"]
`
  const [build, last] = readDockerfile(text)
  expect(build).toMatchObject({
    name: 'build',
    instructions: [{ name: 'RUN', rest: 'one && two' }],
  })
  expect(last?.instructions.map(({ name, flags, rest }) => [name, [...flags], rest])).toEqual([
    [
      'COPY',
      [
        ['from', 'build'],
        ['chown', '1'],
      ],
      'x y',
    ],
    ['HEALTHCHECK', [['interval', '1s']], 'CMD ["a", "b c"]'],
  ])
  expect(wordsOf({ name: 'CMD', flags: new Map(), rest: '["a", "b c"]' })).toEqual(['a', 'b c'])
})

test('the last pattern of a .dockerignore that matches decides', () => {
  const folder = temporaryFolder()
  for (const name of ['a', 'b', 'c']) writeFileSync(join(folder, name), '')
  writeFileSync(join(folder, '.ignore'), '# all but these\n*\n!a\n!b\nb\n')
  expect(contextFiles(folder, join(folder, '.ignore'))).toEqual(['a'])
})

test('the build context has the sources, and no secrets, tests or builds', () => {
  const files = contextFiles(ROOT, join(FOLDER, 'Dockerfile.dockerignore'))
  expect(files).toEqual(
    expect.arrayContaining(['package-lock.json', '.npmrc', 'src/server/cli.ts']),
  )
  const outside = files.filter((file) => !/^(src|build)\//.test(file))
  expect(outside.sort()).toEqual([
    '.npmrc',
    'LICENSE',
    'package-lock.json',
    'package.json',
    'tsconfig.json',
  ])
})

test('the image does not run as root, and handles signals and health itself', () => {
  expect(described('USER')[0]?.rest).toMatch(/^[1-9]\d*:[1-9]\d*$/)
  // With a shell around it, the server would not get the signal.
  for (const name of ['ENTRYPOINT', 'CMD']) expect(described(name)[0]?.rest).toMatch(/^\["/)
  expect(described('HEALTHCHECK')[0]?.rest).toMatch(/^CMD \["node", /)
  expect(described('STOPSIGNAL')[0]?.rest).toBe('SIGTERM')
})

test('Compose builds the Dockerfile, and keeps what the image has as a volume', () => {
  expect(join(FOLDER, tidegate.build.context)).toBe(ROOT)
  expect(tidegate.build.dockerfile).toBe('build/container/Dockerfile')
  const folder = described('VOLUME')[0]?.rest
  expect(tidegate.volumes).toEqual([`data:${folder}`])
  expect(Object.keys(compose.volumes)).toEqual(['data', 'certificates'])
})

test('the server trusts Caddy alone, and nothing but Caddy can be reached', () => {
  expect(tidegate.environment.TIDEGATE_TRUST_PROXY).toBe(caddy.networks.proxy.ipv4_address)
  expect(tidegate).not.toHaveProperty('ports')
  expect(tidegate.environment.TIDEGATE_CONSOLE_HOST).toMatch(/^\$\{TIDEGATE_DOMAIN:/)
})

test('the Caddyfile is valid, and leads to the service on its port', needs('caddy'), () => {
  const file = join(FOLDER, 'Caddyfile')
  const env = { ...process.env, TIDEGATE_DOMAIN: 'updates.example.com', HOME: temporaryFolder() }
  const args = ['adapt', '--validate', '--adapter', 'caddyfile', '--config', file]
  const adapted = execFileSync('caddy', args, { env, encoding: 'utf8', stdio: 'pipe' })
  const port = described('EXPOSE')[0]?.rest
  expect(adapted).toContain(`"dial":"tidegate:${port}"`)
  expect(adapted).toContain('"host":["updates.example.com"]')
})
