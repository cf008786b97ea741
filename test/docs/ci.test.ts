import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  type Build,
  builderManifest,
  sha512Hex,
  tauriManifest,
  writeBuild,
} from '../support/builders/builds.ts'
import { TAURI_SIGNATURE } from '../support/builders/minisign.ts'
import { readJobs, runSteps, type Step } from '../support/ci/github.ts'
import { runGitlabJob } from '../support/ci/gitlab.ts'
import { writePackage, writeTool } from '../support/ci/tools.ts'
import { CHANGELOG, type CiWorld, released, runnerOf, startCiWorld } from '../support/ci/world.ts'
import { PageCode, readPage } from '../support/docs/page.ts'
import { runShell } from '../support/docs/run.ts'
import { needs } from '../support/tools.ts'

const code = new PageCode('docs/ci.md')
const mint = code.takeOne('Create a key', 'sh')
const publish = code.takeOne('Publish', 'sh')
const check = code.takeOne('What updaters are offered', 'sh')
const [addToDraft = '', publishDraft = ''] = code.take('Build on several machines', 'sh')
const matrix = code.takeOne('Build matrix', 'yaml')
const rollOut = code.takeOne('Roll out', 'sh')
const promote = code.takeOne('Promote to another channel', 'sh')
const tauri = code.takeOne('tauri-action', 'yaml')
const builder = code.takeOne('electron-builder', 'yaml')
const gitlab = code.takeOne('GitLab', 'yaml')

let world: CiWorld

beforeEach(async () => {
  world = await startCiWorld()
})

test('has no other code', () => {
  expect(code.left).toEqual([])
})

test('a key is created, and a release is published, checked, rolled out and promoted', async () => {
  const { server, store, folder, env, here } = world
  const key = await runShell(mint, { ...env, TIDEGATE_DATA: server.folder }, folder)
  const built: Build = {
    'Editor_1.4.0_x64-setup.exe': 'windows',
    'Editor_1.4.0_aarch64.app.tar.gz': 'mac',
  }
  for (const [name, content] of Object.entries(built)) {
    writeBuild(join(folder, 'dist'), { [name]: content, [`${name}.sig`]: TAURI_SIGNATURE })
    store.files.set(`editor/1.4.0/${name}`, content)
  }
  const withKey = { ...env, TIDEGATE_KEY: key.trim() }
  await runShell(here(publish), withKey, folder)
  expect(await released(world)).toMatchObject({
    ...{ notes: 'Fast.', rolloutPct: 10 },
    artifacts: [
      {
        platform: 'windows',
        arch: 'x86_64',
        sha512: sha512Hex('windows'),
        signature: TAURI_SIGNATURE,
      },
      { platform: 'darwin', url: `${store.address}editor/1.4.0/Editor_1.4.0_aarch64.app.tar.gz` },
    ],
  })

  const there = { ...withKey, TIDEGATE_SERVER: server.address }
  expect(await runShell(check, there, folder)).toMatch(
    /Tauri +darwin +aarch64 +3 B +Editor_1\.4\.0_aarch64\.app\.tar\.gz/,
  )
  await fetch(`${server.address}/u/editor/stable/windows/x86_64/1.4.0`, {
    headers: { 'x-service-device': 'd-1' },
  })
  await server.telemetry.settled()
  expect(await runShell(rollOut, there, folder)).toContain('on 1 of 1 device')
  expect(await released(world)).toMatchObject({ rolloutPct: 100 })

  await runShell('tidegate channel create editor beta', { ...env, TIDEGATE_DATA: server.folder })
  const body = { app: 'editor', channel: 'beta', version: '1.4.1', artifacts: [] }
  await server.call('POST', '/api/v1/releases', { body })
  await runShell(promote.replace('1.4.0', '1.4.1'), there, folder)
  const { status } = await server.call('GET', '/api/v1/releases/editor/stable/1.4.1')
  expect(status).toBe(200)
})

test.each(['github', 'gitlab'])('the job of %s uploads built files', needs('bash'), async (ci) => {
  writeBuild(join(world.folder, 'dist'), {
    'setup.exe': 'windows',
    'setup.exe.sig': TAURI_SIGNATURE,
  })
  const files = 'windows/x86_64=dist/setup.exe'
  const { server } = world
  if (ci === 'github') {
    const inputs = { server: server.address, key: server.key, app: 'editor', version: '1.4.0' }
    const given = { ...inputs, files, upload: 'true', 'verify-urls': 'false' }
    const step = { uses: './.github/actions/tidegate', env: {}, with: given }
    await runSteps([step], runnerOf(world))
  } else {
    const template = readPage('build/ci/gitlab/tidegate.gitlab-ci.yml')
    const variables = { TIDEGATE_SERVER: server.address, TIDEGATE_APP: 'editor' }
    const build = { TIDEGATE_VERSION: '1.4.0', TIDEGATE_FILES: files, TIDEGATE_UPLOAD: 'true' }
    const job = { extends: '.tidegate-publish', variables: { ...variables, ...build } }
    const off = { TIDEGATE_VERIFY_URLS: 'false', TIDEGATE_KEY: server.key }
    const env = { ...world.env, ...off }
    const text = JSON.stringify({ publish: job })
    await runGitlabJob({ text, template, name: 'publish' }, { folder: world.folder, env })
  }
  const { artifacts } = await released(world)
  const sha512 = sha512Hex('windows')
  expect(artifacts).toMatchObject([{ sha512, size: 7, signature: TAURI_SIGNATURE }])
  expect(artifacts[0].url).toMatch(new RegExp(`/files/${sha512.slice(0, 32)}/setup\\.exe$`))
})

test('the exit codes are those of the command line', () => {
  const rows = (page: string) => readPage(page).match(/^\| \d \|/gm) ?? []
  expect(rows('docs/ci.md')).toEqual(rows('docs/cli.md').filter((row) => row !== '| 6 |'))
})

function stepsOf(workflow: string, job: string): readonly Step[] {
  const { steps = [] } = readJobs(workflow)[job] ?? {}
  expect(steps).not.toEqual([])
  return steps
}

/** The tools of a build, which is not of this page. */
function withBuildTools(env: NodeJS.ProcessEnv, folder: string, scripts: Build): NodeJS.ProcessEnv {
  const tools = join(folder, '../build-tools')
  for (const [name, script] of Object.entries(scripts)) writeTool(tools, name, script)
  return { ...env, PATH: `${tools}:${env.PATH}` }
}

/** Installs nothing for the app, and everything else as npm does. */
const NPM = `[ "$1" = ci ] || PATH="\${PATH#*:}" exec npm "$@"`

test('jobs on several machines make one release', async () => {
  const { server, store, folder, env, here } = world
  const withKey = { ...env, TIDEGATE_SERVER: server.address, TIDEGATE_KEY: server.key }
  const add = async (target: string, name: string) => {
    writeBuild(join(folder, 'dist'), { [name]: name })
    store.files.set(`editor/1.4.0/${name}`, name)
    const command = here(addToDraft).replace(
      'linux/x86_64/deb=dist/editor_1.4.0_amd64.deb',
      `${target}=dist/${name}`,
    )
    await runShell(command, withKey, folder)
  }
  await add('linux/x86_64/deb', 'editor_1.4.0_amd64.deb')
  await add('windows/x86_64', 'editor-setup.exe')
  await expect(runShell(here(publishDraft), withKey, folder)).rejects.toThrow(
    'the draft has no artifact for linux x86_64 appimage',
  )
  await add('linux/x86_64', 'editor.AppImage')
  for (const _ of [1, 2]) await runShell(here(publishDraft), withKey, folder)
  await add('linux/x86_64', 'editor.AppImage')
  expect(await released(world)).toMatchObject({
    rolloutPct: 10,
    artifacts: [{ kind: 'deb' }, { kind: 'nsis' }, { kind: 'appimage' }],
  })
})

describe('GitHub Actions', () => {
  test('the builds of a matrix make one release', needs('bash'), async () => {
    const { store, folder, env, here } = world
    const workflow = here(matrix)
    const builds = [
      ['windows/x86_64/nsis', 'dist/editor-setup.exe'],
      ['linux/x86_64/deb', 'dist/editor.deb'],
    ] as const
    const runner = runnerOf(world, {})
    const run = async (job: string, more: object = {}) => {
      const contexts = { ...runner.contexts, ...more }
      const tools = withBuildTools(env, folder, { npm: `[ "$1" = run ] || { ${NPM}; }` })
      return await runSteps(stepsOf(workflow, job), { ...runner, env: tools, contexts })
    }
    for (const [target, file] of builds) {
      writeBuild(folder, { [file]: target })
      const ran = await run('build', { matrix: { os: 'ubuntu-latest', target, file } })
      expect([target, ran.code, ran.log]).toEqual([target, 0, expect.stringContaining('Verified')])
      if (target === builds[0][0]) {
        const early = await run('publish')
        expect([early.code, early.log]).toEqual([
          3,
          expect.stringContaining('no artifact for linux x86_64 deb'),
        ])
      }
    }
    const ran = await run('publish')
    expect([ran.code, ran.log]).toEqual([0, expect.any(String)])
    expect(await released(world)).toMatchObject({
      ...{ notes: 'Fast.', rolloutPct: 10 },
      artifacts: [
        { kind: 'nsis', url: `${store.address}editor/v1.4.0/editor-setup.exe` },
        { kind: 'deb', size: 16 },
      ],
    })
    expect(await run('publish')).toMatchObject({ code: 0 })
  })

  test('a release of tauri-action is published', needs('bash', 'curl'), async () => {
    const { store, folder, env, here } = world
    const uploads = { 'Editor.app.tar.gz': 'mac', 'Editor-setup.exe': 'windows' }
    const upload = () => {
      for (const [name, content] of Object.entries(uploads)) store.files.set(name, content)
      const urls = {
        'darwin-aarch64': `${store.address}Editor.app.tar.gz`,
        'windows-x86_64': `${store.address}Editor-setup.exe`,
      }
      store.files.set('v1.4.0/latest.json', tauriManifest('1.4.0', urls))
    }
    const runner = runnerOf(world, { 'tauri-apps/tauri-action': upload })
    const tools = withBuildTools(env, folder, {
      npm: NPM,
      sudo: '',
      // Like the one of GitHub, for a release that is in the store.
      gh: `[ "$1 $2 $4" = 'release download --pattern' ] && exec curl -fsSO '${store.address}'"$3/$5"`,
    })
    const workflow = here(tauri)
    for (const job of ['build', 'publish']) {
      const ran = await runSteps(stepsOf(workflow, job), { ...runner, env: tools })
      expect([job, ran.code, ran.log]).toEqual([job, 0, expect.any(String)])
    }
    expect(await released(world)).toMatchObject({
      ...{ notes: 'Fast.', rolloutPct: 10 },
      artifacts: [
        { platform: 'darwin', sha512: sha512Hex('mac'), size: 3, signature: TAURI_SIGNATURE },
        { platform: 'windows', sha512: sha512Hex('windows'), size: 7 },
      ],
    })
  })

  test(
    'builds of electron-builder on three systems make one release',
    needs('bash', 'curl'),
    async () => {
      const { store, folder, env, here } = world
      const builds: Readonly<Record<string, readonly [manifest: string, files: Build]>> = {
        'windows-latest': ['latest.yml', { 'editor-1.4.0-x64.exe': 'windows' }],
        'macos-latest': ['latest-mac.yml', { 'editor-1.4.0-arm64.zip': 'mac' }],
        'ubuntu-latest': ['latest-linux.yml', { 'editor-1.4.0-x64.AppImage': 'linux' }],
      }
      const workflow = here(builder)
      const manifests = new Map<string, string>()
      for (const [os, [manifest, files]] of Object.entries(builds)) {
        const dist = join(folder, '..', os)
        writeBuild(dist, { ...files, [manifest]: builderManifest('1.4.0', files) })
        const runner = runnerOf(world, {
          'actions/upload-artifact': (step) => {
            expect(step.with).toMatchObject({ path: 'dist/latest*.yml' })
            manifests.set(manifest, builderManifest('1.4.0', files))
          },
        })
        const tools = withBuildTools(env, folder, {
          npm: NPM,
          npx: `[ "$*" = 'electron-builder --publish never' ] && rm -rf dist && cp -r '${dist}' dist`,
        })
        const contexts = { ...runner.contexts, matrix: { os } }
        const ran = await runSteps(stepsOf(workflow, 'build'), { ...runner, env: tools, contexts })
        expect([os, ran.code, ran.log]).toEqual([os, 0, expect.any(String)])
      }
      expect([...store.files.keys()].sort()).toEqual(
        Object.values(builds)
          .flatMap(([manifest, files]) => [manifest, ...Object.keys(files)])
          .map((name) => `editor/v1.4.0/${name}`)
          .sort(),
      )
      const other = { ...world, folder: join(folder, '../publish/app') }
      mkdirSync(other.folder, { recursive: true })
      writeFileSync(join(other.folder, 'CHANGELOG.md'), CHANGELOG)
      const runner = runnerOf(other, {
        'actions/download-artifact': () =>
          writeBuild(join(other.folder, 'dist'), Object.fromEntries(manifests)),
      })
      const ran = await runSteps(stepsOf(workflow, 'publish'), runner)
      expect([ran.code, ran.log]).toEqual([0, expect.stringContaining('Verified ')])
      const { artifacts } = await released(world)
      expect(artifacts.map(({ url, size }: { url: string; size: number }) => [url, size])).toEqual([
        [`${store.address}editor/v1.4.0/editor-1.4.0-x64.exe`, 7],
        [`${store.address}editor/v1.4.0/editor-1.4.0-arm64.zip`, 3],
        [`${store.address}editor/v1.4.0/editor-1.4.0-x64.AppImage`, 5],
      ])
    },
  )
})

describe('GitLab', () => {
  const template = readPage('build/ci/gitlab/tidegate.gitlab-ci.yml')

  async function run(changes: NodeJS.ProcessEnv = {}) {
    const { folder, env, here, server } = world
    const project = {
      ...{ TIDEGATE_KEY: server.key, CI_COMMIT_TAG: 'v1.4.0' },
      TIDEGATE_PACKAGE: writePackage(join(folder, '../package')),
    }
    const job = { text: here(gitlab), template, name: 'publish' }
    return await runGitlabJob(job, { folder, env: { ...env, ...project, ...changes } })
  }

  test('manifests of two systems are published', needs('bash'), async () => {
    const { folder, store } = world
    const [windows, linux] = [{ 'editor-x64.exe': 'windows' }, { 'editor-x64.AppImage': 'linux' }]
    for (const [name, content] of Object.entries({ ...windows, ...linux })) {
      store.files.set(`editor/v1.4.0/${name}`, content)
    }
    writeBuild(join(folder, 'dist'), {
      'latest.yml': builderManifest('1.4.0', windows),
      'latest-linux.yml': builderManifest('1.4.0', linux),
    })
    const ran = await run()
    expect([ran.code, ran.log]).toEqual([0, expect.stringMatching(/1\.4\.0 +published +10%/)])
    expect(await released(world)).toMatchObject({ notes: 'Fast.', rolloutPct: 10 })
    expect((await run()).log).toContain('Nothing was changed.')
    store.files.delete('editor/v1.4.0/editor-x64.exe')
    expect(await run()).toMatchObject({ code: 1, log: expect.stringContaining('status 404') })
  })
})
