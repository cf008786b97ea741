import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { OPERATIONS, openApiDocument } from '../../src/server/http/openapi/openapi.ts'
import { startHosting } from '../support/servers/hosting.ts'
import { needs } from '../support/tools.ts'

// Clients that strangers would generate from the API description, and programs that use them. They
// are compiled with the compiler of the project, and run against a server.

const run = promisify(execFile)
const parent = mkdtempSync(join(tmpdir(), 'tidegate-clients-'))
const folder = join(parent, 'clients')
const COMPILER_OPTIONS = {
  ...{ target: 'es2024', module: 'nodenext', moduleResolution: 'nodenext', strict: true },
  ...{ types: ['node'], lib: ['es2024', 'dom', 'dom.iterable'], skipLibCheck: true },
  ...{ rootDir: '.', outDir: 'out' },
}

beforeAll(async () => {
  const here = import.meta.dirname
  const description = join(folder, 'openapi.json')
  mkdirSync(folder)
  writeFileSync(description, JSON.stringify(openApiDocument('0.0.0')))
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }))
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: COMPILER_OPTIONS, include: ['*.ts', 'sdk'] }),
  )
  symlinkSync(join(here, '../node_modules'), join(folder, 'node_modules'))
  symlinkSync(join(here, '../../node_modules'), join(parent, 'node_modules'))
  await run(process.execPath, [join(here, 'generate.ts'), description, folder])
  cpSync(join(here, 'drivers'), folder, { recursive: true })
  const compiler = join(here, '../../node_modules/typescript/bin/tsc')
  await run(process.execPath, [compiler, '--project', folder]).catch((error) => {
    throw new Error(`the generated clients do not compile:\n${error.stdout}`)
  })
})
afterAll(() => rmSync(parent, { recursive: true, force: true }))

const GENERATORS = needs('openapi-typescript')

test.each(['openapi-fetch', 'hey-api'])(
  'a client of %s drives every operation',
  GENERATORS,
  async (name) => {
    const server = await startHosting()
    const { stdout } = await run(process.execPath, [join(folder, 'out', `${name}.js`)], {
      env: { ...process.env, ADDRESS: server.address, KEY: server.key },
    })
    const { answers, ...typed } = JSON.parse(stdout)
    expect(Object.keys(answers).sort()).toEqual(OPERATIONS.map(({ id }) => id).sort())
    const release = { version: '1.1.0+7', rolloutPct: 100, notes: '' }
    expect(answers).toMatchObject({
      publishRelease: { status: 201, data: { release: { ...release, offered: false } } },
      // Offered by its labels alone: they came as they were given.
      checkForUpdate: { status: 200, data: { version: '1.1.0+7', allowDowngrade: false } },
      showRelease: { status: 200, data: { release: { ...release, offered: true } } },
      showAdoption: {
        status: 200,
        data: { adoption: { version: '1.1.0+7', rolloutPct: 100, adopted: 0 } },
      },
      checkVersion: { status: 200, data: { verdict: { state: 'duplicate' } } },
      proveRelease: { status: 200, data: { proof: { awaitsProof: false } } },
      preflightRelease: { status: 200, data: { preflight: { status: 'published' } } },
      showProof: { status: 200, data: { proof: { artifacts: [{ platform: 'linux' }] } } },
      changeServing: { status: 200, data: { release: { ...release, status: 'paused' } } },
      planWave: {
        status: 200,
        data: {
          channel: 'stable',
          decisions: [{ deviceId: 'device-1', update: null, reason: 'no_release' }],
        },
      },
      reportState: { status: 200, data: { received: 1 } },
      listReleases: { status: 200, data: { page: 1, total: 1 } },
      listFiles: {
        status: 200,
        data: { files: [], bytes: 0, quotaBytes: null, collectionFailed: false },
      },
      findFile: { status: 200, data: { file: null, upload: null } },
      deleteFile: { status: 404 },
      listUploads: { status: 200, data: { uploads: [] } },
      deleteUpload: { status: 404 },
      setPlan: { status: 200, data: { plan: { status: 'running', step: 1 } } },
      suspendPlan: { status: 200, data: { plan: { status: 'suspended', reason: 'requested' } } },
      resumePlan: { status: 200, data: { plan: { next: { waitsFor: 'soak' } } } },
      showPlan: { status: 200, data: { plan: { plan: { timeZone: 'Europe/Berlin' } } } },
      removePlan: { status: 200, data: { plan: { step: 1 } } },
      putDraft: { status: 200, data: { draft: { version: '1.2.0', notes: 'New' } } },
      listDrafts: { status: 200, data: { page: 1, total: 1 } },
      showDraft: { status: 200, data: { draft: { artifacts: [{ arch: 'x64', kind: '' }] } } },
      discardDraft: { status: 200, data: { draft: { version: '1.2.0' } } },
      publishDraft: { status: 201, data: { release: { version: '1.2.0', notes: 'New' } } },
      // Its artifact is none that electron-updater installs.
      electronFeed: { status: 404 },
      squirrelUpdate: { status: 204 },
      squirrelReleases: { status: 404 },
      sparkleAppcast: { status: 200, data: expect.stringContaining('<rss') },
      velopackFeed: { status: 200, data: { Assets: [] } },
      releaseFeed: { status: 304 },
      openApi: { status: 200, data: { openapi: '3.1.1' } },
      health: { status: 200, data: { status: 'ok' } },
      live: { status: 200, data: { status: 'live' } },
      ready: { status: 200, data: { status: 'ready' } },
    })
    expect(typed).toEqual({
      message: 'unknown channel "beta" of app "editor"',
      version: '1.1.0+7',
      size: 0,
    })
    const app = server.catalog.snapshot.appByName.get('editor')?.record.key ?? 0
    await server.fleet.settled()
    const [labels] = await server.fleet.labelsOf(app, ['device-1'])
    expect(labels).toEqual({ ring: 'beta', 'site/eu': 'a b&c' })
  },
)
